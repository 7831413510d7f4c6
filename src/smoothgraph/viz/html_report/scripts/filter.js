// What is shown of a graph: the nodes that the legend does not hide, and the edges above the thresholds.

const QUANTILES = 100; // steps of the slider of weights, each of which hides as many edges

/**
 * Return masks of the nodes and edges that are shown, and their numbers.
 * `hidden` has what the legend hides: HIDE_BRIDGES, HIDE_DOUBTFUL, and labels after HIDE_LABEL.
 */
function selectShown(report, graph, { weight, stability, hidden }, coloring) {
  const { entries } = coloring.legend ?? { entries: [] };
  const isHidden = entries.map((entry) => hidden.has(HIDE_LABEL + entry.label));
  const nodes = new Uint8Array(report.names.length).fill(1);
  if (isHidden.includes(true)) {
    coloring.groups.forEach((group, n) => {
      if (group >= 0 && isHidden[group]) nodes[n] = 0;
    });
  }
  const edges = new Uint8Array(report.i.length);
  let edgeCount = 0;
  for (let e = 0; e < edges.length; e++) {
    if (!(graph.weights[e] > 0) || graph.weights[e] < weight) continue;
    if (report.stability !== null && report.stability[e] < stability) continue;
    if (!nodes[report.i[e]] || !nodes[report.j[e]]) continue;
    if (hidden.has(HIDE_BRIDGES) && graph.bridges.has(e)) continue;
    if (hidden.has(HIDE_DOUBTFUL) && graph.doubtful.has(e)) continue;
    edges[e] = 1;
    edgeCount++;
  }
  return { nodes, edges, edgeCount, nodeCount: nodes.reduce((sum, one) => sum + one, 0) };
}

const HIDE_LABEL = "=", HIDE_BRIDGES = "/bridge", HIDE_DOUBTFUL = "/doubtful";

/** Return the step of the slider at which a weight is the least that is shown. */
function stepOfWeight(sorted, weight) {
  const below = sorted.findIndex((other) => other >= weight);
  return weight <= 0 ? 0 : Math.ceil((QUANTILES * (below < 0 ? sorted.length : below)) / Math.max(sorted.length - 1, 1));
}

/** Return the least weight that a step of the slider shows; the first step shows all edges. */
function weightOfStep(sorted, step) {
  if (step === 0 || sorted.length === 0) return 0;
  return sorted[Math.floor((step / QUANTILES) * (sorted.length - 1))];
}

/** Connect the sliders; they call `change` with {weight} or {stability}. */
function connectFilter(report, sortedWeights, change) {
  byId("stability-control").hidden = report.stability === null;
  byId("weight").max = QUANTILES;
  byId("weight").addEventListener("input", (event) => {
    change({ weight: weightOfStep(sortedWeights(), Number(event.target.value)) });
  });
  byId("stability").addEventListener("input", (event) => change({ stability: Number(event.target.value) / 100 }));
}

/** Show the thresholds, and how much they leave. */
function fillFilter(report, sorted, { weight, stability, hidden }, shown) {
  byId("weight").value = stepOfWeight(sorted, weight);
  byId("weight-label").textContent = weight > 0 ? `at least ${weightText(weight)}` : "all";
  byId("stability").value = Math.round(100 * stability);
  byId("stability-label").textContent = stability > 0 ? `at least ${Math.round(100 * stability)}%` : "all";
  const filtered = weight > 0 || stability > 0 || hidden.size > 0;
  byId("show-all").hidden = !filtered;
  const count = (some, all, word) => `${some.toLocaleString("en")} of ${all.toLocaleString("en")} ${word}`;
  byId("shown").textContent = filtered
    ? `${count(shown.nodeCount, report.names.length, "nodes")}, ${count(shown.edgeCount, sorted.length, "edges")}`
    : "";
}
