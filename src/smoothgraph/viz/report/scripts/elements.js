// Small helpers. Texts reach the page as text nodes only, never as HTML.

const byId = (id) => document.getElementById(id);

/** A new element with properties and children; strings become text. */
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A new SVG element with attributes and children. */
function drawing(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A text of the user's, whose direction does not spill over. */
const isolated = (text) => element("bdi", { title: text }, text);

/** Names and values as the rows of a description list. */
function fillDescriptions(list, pairs) {
  list.replaceChildren(
    ...pairs.flatMap(([name, value]) => [element("dt", {}, isolated(name)), element("dd", {}, isolated(value))])
  );
}

/** A number as a person would write it. */
function numberText(value, digits = 6) {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e7 ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1);
}

/** A weight with four digits, so that columns align. */
function weightText(weight) {
  return weight >= 1e-3 && weight < 1e4 ? weight.toPrecision(4) : weight.toExponential(2);
}
