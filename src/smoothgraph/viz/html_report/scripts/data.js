// The data of the report, and quantities computed from it for one of its graphs.

/** Decompress the payload (see compressed.py) and unpack its arrays. */
async function readReport(compressed) {
  const head = parsePayload(await decompress(compressed));
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

async function decompress(compressed) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser is too old to unpack the data. Use Chrome 80, Firefox 113, Safari 16.4, or newer.");
  }
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return the payload, in which arrays are the bytes of their items. */
function parsePayload(all) {
  const textEnd = 4 + new DataView(all.buffer).getUint32(0, true);
  const text = new TextDecoder().decode(all.subarray(4, textEnd));
  return JSON.parse(text, (_, value) => {
    if (!value?.bytes) return value;
    const [start, stop, width] = value.bytes;
    return joinPlanes(all.subarray(textEnd + start, textEnd + stop), width);
  });
}

/** Return the bytes of items, given all of their first bytes, all of their second ones, and so on. */
function joinPlanes(planes, width) {
  const count = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0, at = 0; plane < width; plane++) {
    for (let k = 0; k < count; k++, at++) bytes[k * width + plane] = planes[at];
  }
  return bytes;
}

const unpack = (bytes, ArrayType) => new ArrayType(bytes.buffer);

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
