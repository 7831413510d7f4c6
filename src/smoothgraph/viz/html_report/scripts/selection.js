// Several nodes that the user selects: with Shift, one by one or those in a rectangle.

const SELECTING = "Click to select a node, hold Shift to add nodes or drag over an area, press Escape to clear.";
const LEAST_DRAG = 4; // pixels; less is a click

/**
 * Return the ways to change the selection; `tell` is called with the nodes that the user has selected, and
 * `current` returns {shown, over}: the masks of what is shown, and the node under the pointer or null.
 */
function createSelection(container, report, view, tell, current) {
  let selected = new Set();

  function show(nodes) {
    selected = new Set(nodes);
    view.showSelected(selected);
    const count = selected.size === 1 ? "1 node is" : `${selected.size.toLocaleString("en")} nodes are`;
    byId("hint").textContent = selected.size === 0 ? SELECTING : `${count} selected. Press Escape to clear.`;
  }

  function change(nodes) {
    show(nodes);
    tell([...selected]);
  }

  const toggle = (node) => change(selected.has(node) ? [...selected].filter((other) => other !== node) : [...selected, node]);
  const nodesIn = ({ left, right, top, bottom }) =>
    report.names.map((_, node) => node).filter((node) => {
      const { x, y } = view.place(node);
      return current().shown.nodes[node] && x >= left && x <= right && y >= top && y <= bottom;
    });
  const react = (box) => {
    if (box !== null) change(new Set([...selected, ...nodesIn(box)]));
    else if (current().over !== null) toggle(current().over);
  };
  if (drawable) connectShift(container, react);
  show([]);
  return { show, change };
}

/** Call `react` with the box that the user drags while Shift is down, or with null after a click. */
function connectShift(container, react) {
  const area = element("div", { id: "area" });
  let start = null;
  let handled = false;
  const placeIn = ({ clientX, clientY }) => {
    const { left, top } = container.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const boxTo = ({ x, y }) => ({
    left: Math.min(x, start.x),
    right: Math.max(x, start.x),
    top: Math.min(y, start.y),
    bottom: Math.max(y, start.y),
  });

  function begin(event) {
    handled = event.shiftKey && event.button === 0;
    if (!handled) return;
    event.stopPropagation(); // Sigma would move the camera
    event.preventDefault(); // the browser would select text
    byId("stage").focus(); // for Escape
    start = placeIn(event);
  }

  function stretch(event) {
    if (start === null) return;
    const { left, right, top, bottom } = boxTo(placeIn(event));
    const [x, y, width, height] = [left, top, right - left, bottom - top].map((length) => `${length}px`);
    Object.assign(area.style, { left: x, top: y, width, height });
    container.append(area);
  }

  function end(event) {
    if (start === null) return;
    const box = boxTo(placeIn(event));
    start = null;
    area.remove();
    react(Math.max(box.right - box.left, box.bottom - box.top) < LEAST_DRAG ? null : box);
  }

  function swallowClick(event) {
    if (handled) event.stopPropagation(); // Sigma would show or clear the node
  }

  container.addEventListener("mousedown", begin, { capture: true });
  container.addEventListener("click", swallowClick, { capture: true });
  document.addEventListener("mousemove", stretch, { signal: host.closing });
  document.addEventListener("mouseup", end, { signal: host.closing });
}
