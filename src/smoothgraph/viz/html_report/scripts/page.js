// The state of the page, and the parts that change with it.

const report = await readReport(compressed);
const slider = report.times === null ? densitySlider(report) : timeSlider(report);
const drawable = hasWebGL();
const view = drawable ? createView(byId("graph"), report, themeColors()) : blankView();
const choices = colorChoices(report);
const first = {
  density: report.start,
  color: report.attributes.length ? choices.length - report.attributes.length : 0, // the first attribute
};
const state = { ...first, node: null, kept: false, weight: 0, stability: 0, hidden: new Set() };
const overNode = { now: null };
let shown = null; // masks of the nodes and edges that are shown
let sorted = null; // all weights of the graph
const selection = host.select
  ? createSelection(byId("graph"), report, view, host.select, () => ({ shown, over: overNode.now }))
  : { show() {}, change() {} };
const currentGraph = () => report.graphs[state.density];
const coloringFor = (theme) => choices[state.color].of(currentGraph(), theme);

/** Show the graph at one density, and everything that depends on it. */
function showDensity(density) {
  state.density = density;
  const graph = currentGraph();
  sorted = sortWeights(graph);
  fillDescriptions(byId("statistics"), graph.facts);
  if (report.graphs.length > 1) {
    const label = slider.labels[density];
    byId("density").value = density;
    byId("density-label").textContent = label;
    byId("density").setAttribute("aria-valuetext", label);
    drawChart(byId("chart"), slider.chart, density);
  }
  showSelection();
}

/** Show the nodes and edges that pass the filters, in the current colors. */
function showSelection() {
  const graph = currentGraph();
  const theme = themeColors();
  const coloring = coloringFor(theme);
  shown = selectShown(report, graph, state, coloring);
  view.showColors(coloring.colors);
  view.showGraph(graph, shown);
  fillLegend(byId("legend"), choices[state.color].label, coloring, graph, theme, state.hidden, toggle);
  fillFilter(report, sorted, state, shown);
  fillStrongest(byId("strongest"), report, graph, shown, openEdge);
  byId("graph").setAttribute("aria-label", `Drawing of the graph with ${shown.edgeCount} edges`);
  const gone = state.node !== null && !shown.nodes[state.node];
  showNode(gone ? null : state.node, state.kept && !gone);
}

function toggle(key) {
  if (!state.hidden.delete(key)) state.hidden.add(key);
  showSelection();
}

function changeColors(color) {
  state.color = color;
  byId("color-by").selectedIndex = color;
  for (const key of state.hidden) if (key.startsWith(HIDE_LABEL)) state.hidden.delete(key);
  showSelection();
}

function showAll() {
  Object.assign(state, { weight: 0, stability: 0, hidden: new Set() });
  showSelection();
}

/** Show the card of a node and highlight its neighbors; null hides the card. */
function showNode(node, kept) {
  state.node = node;
  state.kept = kept;
  const neighbors = node === null ? [] : neighborsOf(report, currentGraph(), shown, node);
  const card = byId("card");
  card.hidden = node === null;
  card.classList.toggle("kept", kept);
  if (node !== null) fillCard(card, report, node, neighbors, openNode, release);
  view.showFocus(node, neighbors);
  saveAddress();
}

/** Keep the card of a node open and fly to the node, which is shown even if it was hidden. */
function openNode(node) {
  if (!shown.nodes[node]) showAll();
  choose(node);
  const around = neighborsOf(report, currentGraph(), shown, node).slice(0, SHOWN_NEIGHBORS);
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

/** Keep the card of a node open; the node is then the selection. */
function choose(node) {
  showNode(node, true);
  selection.change([node]);
}

function clear() {
  release();
  selection.change([]);
}

function changeTheme() {
  view.changeTheme(themeColors());
  showDensity(state.density);
}

function cameraState() {
  const { x, y, ratio } = view.sigma.getCamera().getState();
  return x === 0.5 && y === 0.5 && ratio === 1 ? null : [x, y, ratio];
}

function saveAddress() {
  if (host.ownsPage) writeAddress(report, state, first, choices, drawable ? cameraState() : null);
}

/** Show what the address says. */
function openAddress() {
  const { camera, node, ...found } = host.ownsPage ? readAddress(report, choices) : {};
  const plain = { ...first, weight: 0, stability: 0, hidden: new Set() };
  for (const name of Object.keys(plain)) state[name] = found[name] ?? plain[name];
  byId("color-by").selectedIndex = state.color;
  state.node = node ?? null;
  state.kept = node !== undefined;
  if (drawable && camera) view.sigma.getCamera().setState({ x: camera[0], y: camera[1], ratio: camera[2] });
  showDensity(state.density);
}

function connectDrawing({ sigma }) {
  sigma.on("enterNode", ({ node }) => {
    overNode.now = Number(node);
    byId("graph").classList.add("over-node");
    if (!state.kept) showNode(Number(node), false);
  });
  sigma.on("leaveNode", () => {
    overNode.now = null;
    byId("graph").classList.remove("over-node");
    if (!state.kept) release();
  });
  sigma.on("clickNode", ({ node }) => choose(Number(node)));
  sigma.on("clickStage", clear);
  let waiting = null;
  sigma.getCamera().on("updated", () => {
    clearTimeout(waiting);
    waiting = setTimeout(saveAddress, 200);
  });
  const current = () => ({ graph: currentGraph(), shown });
  connectEdgeHover(byId("graph"), report, view, current, () => overNode.now !== null);
}

function currentScene({ titled }) {
  const theme = themeColors(byId("light-theme"));
  const [title, colorTitle] = [titled ? byId("title").textContent : "", choices[state.color].label];
  return buildScene(report, view, currentGraph(), shown, coloringFor(theme), { title, colorTitle, theme });
}

function connectControls() {
  byId("zoom-in").onclick = view.zoomIn;
  byId("zoom-out").onclick = view.zoomOut;
  byId("reset-view").onclick = view.reset;
  byId("show-all").onclick = showAll;
  byId("color-by").append(...choices.map(({ label }) => element("option", {}, label)));
  byId("color-by").addEventListener("change", (event) => changeColors(event.target.selectedIndex));
  byId("density").addEventListener("input", (event) => showDensity(Number(event.target.value)));
  connectPlaying(byId("play"), report.graphs.length, () => state.density, showDensity);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changeTheme, { signal: host.closing });
  if (host.ownsPage) addEventListener("hashchange", openAddress);
  connectSearch(report, openNode);
  connectLegend(byId("legend"));
  connectFilter(report, () => sorted, (change) => {
    Object.assign(state, change);
    showSelection();
  });
  connectSaving(report, () => ({ graph: currentGraph(), shown }), drawable ? currentScene : null);
}

function summaryOf({ names, nodeCount, graphs }, { several }) {
  const regions = names.length < nodeCount ? ` in ${names.length.toLocaleString("en")} regions` : "";
  const nodes = nodeCount === 1 ? "1 node" : `${nodeCount.toLocaleString("en")} nodes${regions}`;
  return graphs.length === 1 ? nodes : `${nodes}, ${graphs.length} ${several}`;
}

function fillSlider() {
  const { graphs } = report;
  byId("density-panel").hidden = graphs.length < 2;
  byId("play").hidden = report.times === null;
  byId("slider-title").textContent = slider.title;
  byId("densities").append(...graphs.map((_, k) => element("option", { value: k })));
  [byId("sparsest").textContent, byId("densest").textContent] = slider.chart.ends;
  byId("density").max = graphs.length - 1;
}

byId("summary").textContent = summaryOf(report, slider);
byId("no-webgl").hidden = drawable;
byId("limits").append(...report.limits.map((text) => element("p", {}, text)));
byId("limits").hidden = report.limits.length === 0;
fillDescriptions(byId("settings"), report.settings);
fillSlider();
connectControls();
if (drawable) connectDrawing(view);
openAddress();
view.drawFirst();
if (drawable) {
  const move = () => moveLegend(byId("legend"), report, view, shown);
  const moveLater = () => setTimeout(move, 100); // when Sigma has drawn in its new size
  moveLater();
  view.sigma.on("resize", moveLater);
}

return {
  sigma: view.sigma,
  graph: view.graph,
  report,
  changeTheme,
  select: selection.show,
  get density() {
    return state.density;
  },
};
