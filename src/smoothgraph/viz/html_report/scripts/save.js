// Files to save and pages to print: pictures of what is shown, and its edges and nodes as CSV.

const PNG_SCALE = 3; // dots per pixel of the screen

/** Offer a file to be saved. */
function saveFile(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const csvLine = (cells) => `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(value) {
  const text = String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Return the shown edges as CSV, with columns for stability and bridges if there are any. */
function edgesToCsv(report, graph, shown) {
  const stable = report.stability !== null, bridged = graph.bridges.size > 0;
  const header = ["source", "target", "weight", ...(stable ? ["stability"] : []), ...(bridged ? ["bridge"] : [])];
  const lines = [csvLine(header)];
  for (const edge of strongestEdges(report, graph, shown, Infinity)) {
    const ends = [report.names[report.i[edge]], report.names[report.j[edge]]];
    const share = stable ? [shortest(report.stability[edge])] : [];
    const isBridge = bridged ? [graph.bridges.has(edge) ? "yes" : "no"] : [];
    lines.push(csvLine([...ends, shortest(graph.weights[edge]), ...share, ...isBridge]));
  }
  return lines.join("");
}

/** Return the shown nodes as CSV, with all that the page knows of them. */
function nodesToCsv(report, graph, shown) {
  const header = ["name", "x", "y", "component", "neighbors", "weighted degree"];
  const lines = [csvLine([...header, ...report.attributes.map(({ name }) => name)])];
  report.names.forEach((name, node) => {
    if (!shown.nodes[node]) return;
    const neighbors = neighborsOf(report, graph, shown, node);
    const degree = neighbors.reduce((sum, { weight }) => sum + weight, 0);
    const place = [report.positions[2 * node], report.positions[2 * node + 1]].map(shortest);
    const values = report.attributes.map((attribute) => valueOf(attribute, node));
    lines.push(csvLine([name, ...place, graph.components[node] + 1, neighbors.length, shortest(degree), ...values]));
  });
  return lines.join("");
}

/** Return the shortest number with the same single-precision value. */
function shortest(value) {
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(value)) return Number(text);
  }
  return Number(value.toPrecision(9));
}

/** Return the number or the label of a node, or nothing if it is missing. */
function valueOf(attribute, node) {
  if (attribute.kind === "number") return Number.isNaN(attribute.values[node]) ? "" : attribute.values[node];
  return attribute.codes[node] < 0 ? "" : attribute.labels[attribute.codes[node]];
}

/** Connect the buttons that save, and printing; `current` returns {graph, shown}, and `scene` makes the scene, or is null. */
function connectSaving(report, current, scene) {
  const base = host.title.replace(/[^\p{L}\p{N}._-]+/gu, " ").trim().slice(0, 80) || "graph";
  const text = (content, type) => new Blob([content], { type: `${type};charset=utf-8` });
  const drawn = scene !== null;
  for (const id of ["save-png", "save-svg"]) byId(id).hidden = !drawn;
  byId("save-png").onclick = () => sceneToCanvas(scene({ titled: true }), PNG_SCALE).toBlob((blob) => saveFile(`${base}.png`, blob));
  byId("save-svg").onclick = () => saveFile(`${base}.svg`, text(sceneToSvg(scene({ titled: true })), "image/svg+xml"));
  byId("save-edges").onclick = () => {
    const { graph, shown } = current();
    saveFile(`${base} edges.csv`, text(edgesToCsv(report, graph, shown), "text/csv"));
  };
  byId("save-nodes").onclick = () => {
    const { graph, shown } = current();
    saveFile(`${base} nodes.csv`, text(nodesToCsv(report, graph, shown), "text/csv"));
  };
  byId("print").onclick = () => window.print();
  byId("print").hidden = !host.ownsPage;
  for (const item of root.querySelectorAll("#save button")) {
    item.addEventListener("click", () => byId("save").removeAttribute("open"));
  }
  onPressOutside(byId("save"), () => byId("save").removeAttribute("open"));
  if (!host.ownsPage) return;
  addEventListener("beforeprint", () => {
    if (drawn) byId("printed").src = sceneToCanvas(scene({ titled: false }), 2).toDataURL();
  });
}
