// The state of the page, and the parts that change with it.

const report = readReport(byId("payload").textContent);
const drawable = hasWebGL();
const view = drawable ? createView(byId("graph"), report, themeColors()) : blankView();
const choices = colorChoices(report);
const state = { density: report.start, node: null, kept: false };
const currentGraph = () => report.graphs[state.density];

/** Show the graph at one density, and everything that depends on it. */
function showDensity(density) {
  state.density = density;
  const graph = currentGraph();
  const sorted = sortWeights(graph);
  view.showGraph(graph, sorted);
  fillDescriptions(byId("statistics"), graph.facts);
  fillStrongest(byId("strongest"), report, graph, sorted, openEdge);
  byId("graph").setAttribute("aria-label", `Drawing of the graph with ${sorted.length} edges`);
  if (report.graphs.length > 1) {
    const label = `${graph.edges_per_node.toFixed(1)} edges per node`;
    byId("density-label").textContent = label;
    byId("density").setAttribute("aria-valuetext", label);
    drawChart(byId("chart"), report.graphs, density);
  }
  showColors();
  showNode(state.node, state.kept);
}

function showColors() {
  const choice = choices[byId("color-by").selectedIndex];
  const graph = currentGraph();
  const theme = themeColors();
  const { colors, legend } = choice.of(graph, theme);
  view.showColors(colors);
  fillLegend(byId("legend"), choice.label, legend, graph.bridges, theme);
}

/** Show the card of a node and highlight its neighbors; null hides the card. */
function showNode(node, kept) {
  state.node = node;
  state.kept = kept;
  const neighbors = node === null ? [] : neighborsOf(report, currentGraph(), node);
  const card = byId("card");
  card.hidden = node === null;
  card.classList.toggle("kept", kept);
  if (node !== null) fillCard(card, report, node, neighbors, openNode);
  view.showFocus(node, neighbors);
}

/** Keep the card of a node open and fly to the node. */
function openNode(node) {
  showNode(node, true);
  const around = neighborsOf(report, currentGraph(), node).slice(0, SHOWN_NEIGHBORS);
  view.flyTo([node], around.map((other) => other.node));
}

/** Keep the card of the first end of an edge open and fly to the edge. */
function openEdge(a, b) {
  showNode(a, true);
  view.flyTo([a, b], [a, b]);
}

function release() {
  showNode(null, false);
}

function connectDrawing({ sigma }) {
  sigma.on("enterNode", ({ node }) => {
    byId("graph").classList.add("over-node");
    if (!state.kept) showNode(Number(node), false);
  });
  sigma.on("leaveNode", () => {
    byId("graph").classList.remove("over-node");
    if (!state.kept) release();
  });
  sigma.on("clickNode", ({ node }) => showNode(Number(node), true));
  sigma.on("clickStage", release);
}

function connectControls() {
  byId("zoom-in").onclick = view.zoomIn;
  byId("zoom-out").onclick = view.zoomOut;
  byId("reset-view").onclick = view.reset;
  byId("color-by").append(...choices.map(({ label }) => element("option", {}, label)));
  const { length } = report.attributes; // the last choices; the page opens with the first of them
  byId("color-by").selectedIndex = length ? choices.length - length : 0;
  byId("color-by").addEventListener("change", showColors);
  byId("density").addEventListener("input", (event) => showDensity(Number(event.target.value)));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") release();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    view.changeTheme(themeColors());
    showDensity(state.density);
  });
  connectSearch(report, openNode);
}

function summaryOf({ names, graphs }) {
  const nodes = names.length === 1 ? "1 node" : `${names.length.toLocaleString("en")} nodes`;
  return graphs.length === 1 ? nodes : `${nodes}, ${graphs.length} densities`;
}

function fillSlider() {
  const { graphs } = report;
  byId("density-panel").hidden = graphs.length < 2;
  byId("densities").append(...graphs.map((_, k) => element("option", { value: k })));
  byId("sparsest").textContent = graphs[0].edges_per_node.toFixed(1);
  byId("densest").textContent = graphs[graphs.length - 1].edges_per_node.toFixed(1);
  byId("density").max = graphs.length - 1;
  byId("density").value = report.start;
}

byId("summary").textContent = summaryOf(report);
byId("no-webgl").hidden = drawable;
fillDescriptions(byId("settings"), report.settings);
fillSlider();
connectControls();
if (drawable) connectDrawing(view);
showDensity(report.start);
view.drawFirst();

window.smoothgraphReport = {
  sigma: view.sigma,
  graph: view.graph,
  report,
  get density() {
    return state.density;
  },
};
