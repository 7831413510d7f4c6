// The drawing: Sigma on WebGL, and two canvases for the edges and names at the selected node.

const LEVELS = 32; // of edge strength, each with its own style
const FLIGHT = 450; // milliseconds
const LABELED = 8; // neighbors of the selected node that show their names
const FULLY_LABELED = 60; // nodes up to which all of them show their names
const LONGEST_LABEL = 40; // characters
const SLOW = 60; // milliseconds for one drawing
const BRIDGE_OPACITY = 0.9;

const hasWebGL = () => {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl2") || canvas.getContext("webgl"));
};

/** Return a view that draws nothing, for browsers without WebGL. */
function blankView() {
  const nothing = () => {};
  return {
    showGraph: nothing, showColors: nothing, showFocus: nothing, changeTheme: nothing,
    drawFirst: nothing, flyTo: nothing, zoomIn: nothing, zoomOut: nothing, reset: nothing,
  };
}

/** Draw the graph in a container, and return the ways to change the drawing. */
function createView(container, report, theme) {
  const graph = unionGraph(report);
  const state = {
    theme, graph: report.graphs[report.start], styles: [], bridge: {}, scale: 1, colors: [], focus: null, taken: null,
    sigma: null, // until `new Sigma`, which already renders once, has returned
  };
  const settings = { ...generalSettings(report.names.length), ...looks(report, graph, state) };
  const sigma = new Sigma(graph, container, settings);
  state.sigma = sigma;
  sigma.createCanvasContext("focus", { beforeLayer: "hovers" });
  sigma.createCanvasContext("names", { beforeLayer: "mouse" }).resize(true);
  sigma.on("beforeRender", () => (state.taken = null));
  sigma.on("afterRender", () => drawFocus(sigma, state));
  return {
    sigma,
    graph,
    ...changesOf(sigma, graph, state, report, container),
    ...movesOf(sigma, report),
  };
}

function generalSettings(nodeCount) {
  const few = nodeCount <= FULLY_LABELED;
  return {
    allowInvalidContainer: true,
    doubleClickTimeout: 0, // treats two quick clicks as two clicks
    enableCameraRotation: false,
    labelDensity: few ? 100 : 1,
    labelRenderedSizeThreshold: few ? 0 : 7,
    maxCameraRatio: 4,
    minCameraRatio: 0.002,
    minEdgeThickness: 1.4,
    nodeProgramClasses: { circle: borderedNodeProgram() },
    stagePadding: 50,
  };
}

/** Return Sigma's settings for the look of nodes, edges and names in the current state. */
function looks(report, graph, state) {
  const size = Math.min(9, Math.max(1.6, 170 / Math.sqrt(report.names.length)));
  const few = report.names.length <= FULLY_LABELED;
  return {
    nodeReducer: (key, position) => ({
      ...position,
      size,
      label: report.names[key],
      color: state.colors[key],
      borderColor: state.theme.surface,
      highlighted: state.focus !== null && state.focus.lit.has(Number(key)),
    }),
    edgeReducer: (key) => edgeStyle(state, Number(key)),
    defaultDrawNodeLabel: (context, node) => {
      if (state.sigma === null) return;
      state.taken ??= few ? graph.nodes().map((other) => discBox(placeOf(state.sigma, other))) : [];
      drawLabel(context, node, state.theme, state.taken);
    },
    defaultDrawNodeHover: (context, node) => drawHover(context, node, state),
  };
}

/** Draw nodes as discs with a thin border in the background color, which separates them. */
function borderedNodeProgram() {
  return Sigma.rendering.createNodeBorderProgram({
    borders: [
      { size: { value: 0.15 }, color: { attribute: "borderColor" } },
      { size: { fill: true }, color: { attribute: "color" } },
    ],
  });
}

/** Return a graph with the edges of all densities; the drawing hides those it does not need. */
function unionGraph(report) {
  const graph = new graphology.UndirectedGraph();
  for (let n = 0; n < report.names.length; n++) {
    graph.addNode(n, { x: report.positions[2 * n], y: report.positions[2 * n + 1] });
  }
  for (let e = 0; e < report.i.length; e++) {
    graph.addUndirectedEdgeWithKey(e, report.i[e], report.j[e]);
  }
  return graph;
}

/** Return the functions that change what the drawing shows. */
function changesOf(sigma, graph, state, report, container) {
  const nodes = graph.nodes();
  const edges = graph.edges();
  const redraw = (partialGraph) => sigma.refresh({ partialGraph, skipIndexation: true, schedule: true });
  const litKeys = () => (state.focus ? Array.from(state.focus.lit, String) : []);
  return {
    showGraph(shown, sorted) {
      state.graph = shown;
      state.scale = sorted.length ? sorted[Math.floor(0.98 * (sorted.length - 1))] : 1;
      state.styles = edgeStyles(state.theme, sorted.length, report.names.length);
      state.bridge = bridgeStyle(state.theme, report.names.length);
      redraw({ edges });
    },
    showColors(colors) {
      state.colors = colors;
      redraw({ nodes });
    },
    showFocus(node, neighbors) {
      const before = litKeys();
      const lit = node === null ? null : new Set([node, ...neighbors.map((other) => other.node)]);
      state.focus = node === null ? null : { node, neighbors, lit };
      container.classList.toggle("faded", node !== null);
      redraw({ nodes: [...before, ...litKeys()] });
    },
    /** Draw now; if this is slow, hide the edges from now on while the camera moves. */
    drawFirst() {
      const started = performance.now();
      sigma.render();
      const { edges: canvas } = sigma.getCanvases();
      const gl = canvas.getContext("webgl2") || canvas.getContext("webgl");
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits until all is drawn
      if (performance.now() - started > SLOW) sigma.setSetting("hideEdgesOnMove", true);
    },
    changeTheme(changed) {
      state.theme = changed;
    },
  };
}

/** Return the functions that move the camera. */
function movesOf(sigma, report) {
  const camera = sigma.getCamera();
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const options = { duration: still ? 1 : FLIGHT };
  const closest = Math.min(0.5, Math.max(0.02, Math.sqrt(20 / report.names.length)));
  return {
    zoomIn: () => camera.animatedZoom({ ...options, factor: 1.6 }),
    zoomOut: () => camera.animatedUnzoom({ ...options, factor: 1.6 }),
    reset: () => camera.animatedReset(options),
    /** Fly to the center of some nodes, with the others in view as well. */
    flyTo(center, others) {
      const at = center.map((node) => sigma.getNodeDisplayData(node));
      const x = at.reduce((sum, place) => sum + place.x, 0) / at.length;
      const y = at.reduce((sum, place) => sum + place.y, 0) / at.length;
      const places = others.map((node) => sigma.getNodeDisplayData(node));
      const reach = Math.max(0, ...places.map((place) => Math.hypot(place.x - x, place.y - y)));
      camera.animate({ x, y, ratio: Math.min(1, Math.max(closest, 2.6 * reach)) }, options);
    },
  };
}

/** Return the width of the strongest edges. */
const thickest = (nodeCount) => Math.min(4, Math.max(1.4, 70 / Math.sqrt(nodeCount)));

/** Return the style of all bridges, which are weak but have to be seen. */
function bridgeStyle(theme, nodeCount) {
  return { size: 0.8 * thickest(nodeCount), color: premultiply(theme.bridge, BRIDGE_OPACITY) };
}

/** Return the style of an edge at each level of strength; more edges are drawn fainter. */
function edgeStyles(theme, edgeCount, nodeCount) {
  const faint = Math.min(1, Math.max(0.15, Math.sqrt(3000 / Math.max(edgeCount, 1))));
  const thick = thickest(nodeCount);
  return Array.from({ length: LEVELS + 1 }, (_, level) => {
    if (level === 0) return { hidden: true };
    const strength = level / LEVELS;
    return {
      size: thick * (0.25 + 0.75 * strength),
      color: premultiply(theme.edge, faint * (0.2 + 0.65 * strength)),
    };
  });
}

/** Multiply a color by its opacity, as Sigma's shaders expect. */
function premultiply(rgb, opacity) {
  return `rgba(${rgb.map((part) => Math.round(part * opacity)).join(",")},${opacity.toFixed(3)})`;
}

function edgeStyle({ graph, styles, bridge, scale }, edge) {
  const weight = graph.weights[edge];
  if (!(weight > 0) || !styles.length) return { hidden: true };
  if (graph.bridges.has(edge)) return bridge;
  return styles[Math.max(1, Math.round(LEVELS * Math.sqrt(Math.min(1, weight / scale))))];
}

/** Draw the edges at the selected node above the faded graph, and the names at their ends. */
function drawFocus(sigma, { focus, theme }) {
  const { width, height } = sigma.getDimensions();
  const canvases = sigma.getCanvases();
  const [lines, names] = [canvases.focus, canvases.names].map((canvas) => canvas.getContext("2d"));
  for (const context of [lines, names]) context.clearRect(0, 0, width, height);
  if (!focus) return;
  const center = placeOf(sigma, focus.node);
  const ends = focus.neighbors.map(({ node }) => placeOf(sigma, node));
  focus.neighbors.forEach(({ weight, bridge }, k) =>
    drawLine(lines, center, ends[k], weight / focus.neighbors[0].weight, bridge ? theme.bridge : theme.highlight)
  );
  const labeled = [center, ...ends.slice(0, LABELED)];
  const taken = labeled.map(discBox);
  labeled.forEach((node) => drawLabel(names, node, theme, taken, node === center ? "bold" : ""));
}

/** Return the place, size and label of a node on the screen. */
function placeOf(sigma, node) {
  const { x, y, size, label } = sigma.getNodeDisplayData(node);
  return { ...sigma.framedGraphToViewport({ x, y }), size: sigma.scaleSize(size), label };
}

function drawLine(context, start, end, share, rgb) {
  const strength = Math.sqrt(share);
  context.strokeStyle = `rgb(${rgb.join(" ")} / ${0.3 + 0.7 * strength})`;
  context.lineWidth = 0.8 + 2.4 * strength;
  context.beginPath();
  context.moveTo(start.x, start.y);
  context.lineTo(end.x, end.y);
  context.stroke();
}

/** Draw a ring around the selected node, and the name of a node that does not show it yet. */
function drawHover(context, node, { focus, theme }) {
  const key = Number(node.key);
  if (focus !== null && key === focus.node) drawRing(context, node, theme);
  if (focus === null || !focus.lit.has(key)) drawLabel(context, node, theme, []);
}

function drawRing(context, node, theme) {
  context.fillStyle = `rgb(${theme.highlight.join(" ")})`;
  context.beginPath();
  context.arc(node.x, node.y, node.size + 3, 0, 2 * Math.PI);
  context.fill();
}

/** Draw a name to the right or left of its node, unless it would overlap a box in `taken`. */
function drawLabel(context, node, theme, taken, style = "") {
  const characters = Array.from(node.label);
  const text = characters.length > LONGEST_LABEL ? `${characters.slice(0, LONGEST_LABEL - 1).join("")}…` : node.label;
  context.font = `${style} 12px system-ui, sans-serif`;
  const width = context.measureText(text).width;
  const apart = node.size + 5;
  const box = [node.x + apart, node.x - apart - width]
    .map((left) => ({ left, right: left + width, top: node.y - 8, bottom: node.y + 8 }))
    .find((candidate) => !taken.some((other) => overlap(candidate, other)));
  if (!box) return;
  taken.push(box);
  context.direction = "ltr";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = theme.surface;
  context.fillStyle = theme.text;
  context.strokeText(text, box.left, node.y + 4);
  context.fillText(text, box.left, node.y + 4);
}

function discBox({ x, y, size }) {
  return { left: x - size, right: x + size, top: y - size, bottom: y + size };
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
