// The data of the report, and quantities computed from it for the graph at one density.

/** Parse the payload of the page and unpack its arrays. */
function readReport(text) {
  const head = JSON.parse(text);
  const report = {
    names: head.names,
    positions: unpack(head.positions, Float32Array),
    i: unpack(head.i, Int32Array),
    j: unpack(head.j, Int32Array),
    start: head.start,
    settings: head.settings,
    graphs: head.graphs.map((graph) => ({
      ...graph,
      weights: unpack(graph.weights, Float32Array),
      components: unpack(graph.components, Int32Array),
      bridges: new Set(unpack(graph.bridges, Int32Array)),
    })),
    attributes: head.attributes.map((attribute) =>
      attribute.kind === "number"
        ? { ...attribute, values: unpack(attribute.values, Float64Array) }
        : { ...attribute, codes: unpack(attribute.codes, Int32Array) }
    ),
  };
  report.incidence = incidenceOf(report);
  return report;
}

/** Decode a little-endian array from base64. */
function unpack(text, ArrayType) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = characters.charCodeAt(k);
  return new ArrayType(bytes.buffer);
}

/** Return the edges at every node: for node n, edges[first[n]] to edges[first[n + 1] - 1]. */
function incidenceOf({ names, i, j }) {
  const first = new Int32Array(names.length + 1);
  for (let e = 0; e < i.length; e++) {
    first[i[e] + 1]++;
    first[j[e] + 1]++;
  }
  for (let n = 0; n < names.length; n++) first[n + 1] += first[n];
  const next = first.slice();
  const edges = new Int32Array(2 * i.length);
  for (let e = 0; e < i.length; e++) {
    edges[next[i[e]]++] = e;
    edges[next[j[e]]++] = e;
  }
  return { first, edges };
}

/** Return the neighbors of a node as {node, weight, bridge}, the strongest first. */
function neighborsOf(report, graph, node) {
  const { first, edges } = report.incidence;
  const found = [];
  for (let k = first[node]; k < first[node + 1]; k++) {
    const e = edges[k];
    const weight = graph.weights[e];
    const other = report.i[e] === node ? report.j[e] : report.i[e];
    if (weight > 0) found.push({ node: other, weight, bridge: graph.bridges.has(e) });
  }
  return found.sort((a, b) => b.weight - a.weight || a.node - b.node);
}

/** Return the number of neighbors of every node. */
function neighborCounts(report, graph) {
  const counts = new Float64Array(report.names.length);
  for (let e = 0; e < graph.weights.length; e++) {
    if (graph.weights[e] > 0) {
      counts[report.i[e]]++;
      counts[report.j[e]]++;
    }
  }
  return counts;
}

/** Return the nonzero weights in ascending order. */
function sortWeights(graph) {
  return graph.weights.filter((weight) => weight > 0).sort();
}

/** Return the indices of the strongest edges, the strongest first. */
function strongestEdges(report, graph, sorted, count) {
  const least = sorted.length > count ? sorted[sorted.length - count] : 0;
  const found = [];
  for (let e = 0; e < graph.weights.length; e++) {
    if (graph.weights[e] > 0 && graph.weights[e] >= least) found.push(e);
  }
  const { i, j } = report;
  found.sort((a, b) => graph.weights[b] - graph.weights[a] || i[a] - i[b] || j[a] - j[b]);
  return found.slice(0, count);
}
