// What is drawn on plain canvases below and above Sigma's: the map, dashes, and the edges and names at a node.

const LABELED = 8; // neighbors of the selected node that show their names
const LONGEST_LABEL = 40; // characters

/** Fill land, and draw coasts and borders, as far as there are any. */
function drawMap(context, lines, toViewport, theme) {
  const trace = (points) => {
    for (let k = 0; k < points.length; k += 2) {
      const { x, y } = toViewport({ x: points[k], y: points[k + 1] });
      if (k === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  };
  context.fillStyle = theme.land;
  context.beginPath();
  for (const ring of lines.land) {
    trace(ring);
    context.closePath();
  }
  context.fill();
  context.strokeStyle = theme.coast;
  for (const [kind, width] of [["borders", 0.6], ["coasts", 1]]) {
    context.lineWidth = width;
    context.beginPath();
    lines[kind].forEach(trace);
    context.stroke();
  }
}

/** Draw edges with dashes; `ends` returns the places of the ends of an edge. */
function drawDashes(context, edges, lookOf, ends, scale) {
  for (const edge of edges) {
    const { size, rgb, opacity, dash } = lookOf(edge);
    const [start, end] = ends(edge);
    context.setLineDash(dash);
    strokeLine(context, start, end, translucent(rgb, opacity), Math.max(1.2, scale(size)));
  }
  context.setLineDash([]);
}

function strokeLine(context, start, end, color, width) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(start.x, start.y);
  context.lineTo(end.x, end.y);
  context.stroke();
}

/** Draw the edges at the selected node above the faded graph, and the names at their ends. */
function drawFocus(lines, names, focus, place, theme) {
  const center = place(focus.node);
  const ends = focus.neighbors.map(({ node }) => place(node));
  const heaviest = focus.neighbors.reduce((most, other) => Math.max(most, other.weight), 0);
  focus.neighbors.forEach(({ weight, bridge }, k) => {
    const strength = Math.sqrt(weight / heaviest);
    const color = translucent(bridge ? theme.bridge : theme.highlight, 0.3 + 0.7 * strength);
    lines.setLineDash(bridge ? DASHES.bridge : []);
    strokeLine(lines, center, ends[k], color, 0.8 + 2.4 * strength);
  });
  lines.setLineDash([]);
  const labeled = [center, ...ends.slice(0, LABELED)];
  const taken = labeled.map(discBox);
  labeled.forEach((node) => drawLabel(names, node, theme, taken, node === center ? "bold" : ""));
}

/** Draw a ring around the selected node, and the name of a node that does not show it yet. */
function drawHover(context, node, { focus, theme }) {
  const key = Number(node.key);
  if (focus !== null && key === focus.node) drawRing(context, node, theme);
  if (focus === null || !focus.lit.has(key)) drawLabel(context, node, theme, []);
}

function drawRing(context, node, theme, width = 3) {
  context.fillStyle = opaque(theme.highlight);
  context.beginPath();
  context.arc(node.x, node.y, node.size + width, 0, 2 * Math.PI);
  context.fill();
}

/** Draw a name to the right or left of its node, unless it would overlap a box in `taken`. */
function drawLabel(context, node, theme, taken, style = "") {
  const placed = placeLabel(context, node, taken, style);
  if (placed === null) return;
  context.direction = "ltr";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = theme.surface;
  context.fillStyle = theme.text;
  context.strokeText(placed.text, placed.x, placed.y);
  context.fillText(placed.text, placed.x, placed.y);
}

/** Return {text, x, y} of a name beside its node, inside the drawing if it fits there, and add its box to `taken`.
    It is null if there is no room. */
function placeLabel(context, node, taken, style = "") {
  const characters = Array.from(node.label);
  const text = characters.length > LONGEST_LABEL ? `${characters.slice(0, LONGEST_LABEL - 1).join("")}…` : node.label;
  context.font = `${style} 12px system-ui, sans-serif`;
  const width = context.measureText(text).width;
  const apart = node.size + 5;
  const free = [node.x + apart, node.x - apart - width]
    .map((left) => ({ left, right: left + width, top: node.y - 8, bottom: node.y + 8 }))
    .filter((candidate) => !taken.some((other) => overlap(candidate, other)));
  const widest = byId("graph").clientWidth;
  const box = free.find(({ left, right }) => left >= 0 && right <= widest) ?? free[0];
  if (!box) return null;
  taken.push(box);
  return { text, x: box.left, y: node.y + 4 };
}

function discBox({ x, y, size }) {
  return { left: x - size, right: x + size, top: y - size, bottom: y + size };
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
