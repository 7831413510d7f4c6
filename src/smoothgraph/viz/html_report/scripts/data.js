// The data of the report, and quantities computed from it for one of its graphs.

/** Parse the payload of the page and unpack its arrays. */
function readReport(text) {
  const head = JSON.parse(text);
  const report = {
    names: head.names,
    nodeCount: head.n_nodes,
    positions: unpack(head.positions, Float32Array),
    i: unpack(head.i, Int32Array),
    j: unpack(head.j, Int32Array),
    start: head.start,
    times: head.times,
    settings: head.settings,
    limits: head.limits,
    palette: head.palette,
    stability: head.stability === null ? null : unpack(head.stability, Float32Array),
    map: head.map === null ? null : Object.fromEntries(Object.entries(head.map).map(([k, v]) => [k, unpackLines(v)])),
    graphs: head.graphs.map((graph) => ({
      ...graph,
      weights: unpack(graph.weights, Float32Array),
      components: unpack(graph.components, Int32Array),
      bridges: new Set(unpack(graph.bridges, Int32Array)),
      doubtful: new Set(unpack(graph.doubtful, Int32Array)),
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

/** Return lines as arrays of coordinates x, y, x, y, ... */
function unpackLines({ points, starts }) {
  const all = unpack(points, Float32Array);
  const first = unpack(starts, Int32Array);
  return Array.from({ length: first.length - 1 }, (_, k) => all.subarray(2 * first[k], 2 * first[k + 1]));
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

/** Return the neighbors of a node over the shown edges as {node, weight, bridge, edge}, the strongest first. */
function neighborsOf(report, graph, shown, node) {
  const { first, edges } = report.incidence;
  const found = [];
  for (let k = first[node]; k < first[node + 1]; k++) {
    const edge = edges[k];
    if (!shown.edges[edge]) continue;
    const other = report.i[edge] === node ? report.j[edge] : report.i[edge];
    found.push({ node: other, weight: graph.weights[edge], bridge: graph.bridges.has(edge), edge });
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

/** Return the indices of the strongest of the shown edges, the strongest first. */
function strongestEdges(report, graph, shown, count) {
  const found = [];
  for (let e = 0; e < graph.weights.length; e++) if (shown.edges[e]) found.push(e);
  const { i, j } = report;
  found.sort((a, b) => graph.weights[b] - graph.weights[a] || i[a] - i[b] || j[a] - j[b]);
  return found.slice(0, count);
}
