// How edges look: their width and opacity by weight, and the dashes of bridges and doubtful edges.

const LEVELS = 32; // of edge strength, each with its own style
const BRIDGE_OPACITY = 0.9;
const DASHES = { bridge: [7, 4], doubtful: [3, 3] }; // pixels
const MOST_DASHED = 4000; // more are drawn without dashes, which take time
const CLEAR = "rgba(0,0,0,0)";

/** Return the width of the strongest edges. */
const thickest = (nodeCount) => Math.min(4, Math.max(1.4, 70 / Math.sqrt(nodeCount)));

/** Return {size, rgb, opacity} of an edge at each level of strength from 1 on; more edges are drawn fainter. */
function edgeLooks(theme, edgeCount, nodeCount) {
  const faint = Math.min(1, Math.max(0.15, Math.sqrt(3000 / Math.max(edgeCount, 1))));
  const thick = thickest(nodeCount);
  return Array.from({ length: LEVELS + 1 }, (_, level) => {
    const strength = level / LEVELS;
    return { size: thick * (0.25 + 0.75 * strength), rgb: theme.edge, opacity: faint * (0.2 + 0.65 * strength) };
  });
}

/** Return the look of all bridges, which are weak but have to be seen. */
function bridgeLook(theme, nodeCount) {
  return { size: 0.8 * thickest(nodeCount), rgb: theme.bridge, opacity: BRIDGE_OPACITY, dash: DASHES.bridge };
}

/** Return a function from an edge to its look; null if it is not shown. */
function lookOfEdges(report, graph, shown, theme) {
  const sorted = sortWeights(graph);
  const scale = sorted.length ? sorted[Math.floor(0.98 * (sorted.length - 1))] : 1;
  const looks = edgeLooks(theme, shown.edgeCount, report.names.length);
  const dashed = looks.map((look) => ({ ...look, dash: DASHES.doubtful, opacity: Math.max(look.opacity, 0.5) }));
  const bridge = bridgeLook(theme, report.names.length);
  return (edge) => {
    if (!shown.edges[edge]) return null;
    if (graph.bridges.has(edge)) return bridge;
    const level = Math.max(1, Math.round(LEVELS * Math.sqrt(Math.min(1, graph.weights[edge] / scale))));
    return (graph.doubtful.has(edge) ? dashed : looks)[level];
  };
}

/** Return the edges to be drawn with dashes, above the others. */
function dashedEdges(graph, shown) {
  const bridges = [...graph.bridges].filter((edge) => shown.edges[edge]);
  const doubtful = [...graph.doubtful].filter((edge) => shown.edges[edge] && !graph.bridges.has(edge));
  if (bridges.length > MOST_DASHED) return [];
  return bridges.length + doubtful.length > MOST_DASHED ? bridges : [...doubtful, ...bridges];
}

/** Multiply a color by its opacity, as Sigma's shaders expect. */
function premultiply(rgb, opacity) {
  return `rgba(${rgb.map((part) => Math.round(part * opacity)).join(",")},${opacity.toFixed(3)})`;
}

/** Return the CSS color of three numbers and an opacity. */
const translucent = (rgb, opacity) => `rgb(${rgb.join(" ")} / ${opacity})`;
