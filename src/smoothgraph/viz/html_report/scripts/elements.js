// Helpers that create elements. All text becomes text nodes, never HTML.

const NARROW = "(max-width: 860px)"; // as in page.css
const byId = (id) => root.getElementById(id);

/** Create an element with properties and children; strings become text. */
function element(tag, properties = {}, ...children) {
  const result = Object.assign(document.createElement(tag), properties);
  result.append(...children);
  return result;
}

/** Create an SVG element with attributes and children. */
function svgElement(tag, attributes = {}, ...children) {
  const result = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) result.setAttribute(name, value);
  result.append(...children);
  return result;
}

/** Wrap text from the user so that its writing direction does not affect the text around it. */
const isolateText = (text) => element("bdi", { title: text }, text);

/** Fill a description list with names and values. */
function fillDescriptions(list, pairs) {
  list.replaceChildren(
    ...pairs.flatMap(([name, value]) => [element("dt", {}, isolateText(name)), element("dd", {}, isolateText(value))])
  );
}

/** Return the CSS color of three numbers. */
const opaque = (rgb) => `rgb(${rgb.join(",")})`;

/** Format a number as a person would write it. */
function numberText(value, digits = 6) {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e7 ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1);
}

/** Format a weight with four digits, so that columns align. */
function weightText(weight) {
  return weight >= 1e-3 && weight < 1e4 ? weight.toPrecision(4) : weight.toExponential(2);
}

/** Call a function when the user presses outside of an element. */
function onPressOutside(box, react) {
  const check = (event) => event.composedPath().includes(box) || react();
  document.addEventListener("pointerdown", check, { signal: host.closing });
}
