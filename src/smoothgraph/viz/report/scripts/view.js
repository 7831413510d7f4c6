// The drawing: sigma on WebGL, and one canvas of its own for the edges at the chosen node.

const LEVELS = 32; // of edge strength
const FLIGHT = 450; // milliseconds
const LABELLED = 8; // neighbours of the chosen node
const FULLY_LABELLED = 60; // nodes up to which all names are drawn
const LONGEST_LABEL = 40;
const SLOW = 60; // milliseconds to draw once

const hasWebGL = () => {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl2") || canvas.getContext("webgl"));
};

/** What stands in for the drawing where there is no WebGL. */
function blankView() {
  const nothing = () => {};
  return {
    showGraph: nothing, showColours: nothing, showFocus: nothing, changeTheme: nothing,
    drawFirst: nothing, flyTo: nothing, zoomIn: nothing, zoomOut: nothing, reset: nothing,
  };
}

/** The drawing of the graph in a container. */
function createView(container, report, theme) {
  const graph = unionGraph(report);
  const state = {
    theme, graph: report.graphs[report.start], styles: [], scale: 1, colours: [], focus: null, taken: null,
    sigma: null, // until its first rendering, inside of `new`, is done
  };
  const sigma = new Sigma(graph, container, { ...generalSettings(report.names.length), ...looks(report, graph, state) });
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
  const few = nodeCount <= FULLY_LABELLED;
  return {
    allowInvalidContainer: true,
    doubleClickTimeout: 0, // two quick clicks are two clicks
    enableCameraRotation: false,
    labelDensity: few ? 100 : 1,
    labelRenderedSizeThreshold: few ? 0 : 7,
    maxCameraRatio: 4,
    minCameraRatio: 0.002,
    minEdgeThickness: 1.4,
    nodeProgramClasses: { circle: borderedNodes() },
    stagePadding: 50,
  };
}

/** How nodes, edges and names look in the present state. */
function looks(report, graph, state) {
  const size = Math.min(9, Math.max(1.6, 170 / Math.sqrt(report.names.length)));
  const few = report.names.length <= FULLY_LABELLED;
  return {
    nodeReducer: (key, position) => ({
      ...position,
      size,
      label: report.names[key],
      color: state.colours[key],
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

/** Discs with a thin border in the colour of the page, which keeps neighbours apart. */
function borderedNodes() {
  return Sigma.rendering.createNodeBorderProgram({
    borders: [
      { size: { value: 0.15 }, color: { attribute: "borderColor" } },
      { size: { fill: true }, color: { attribute: "color" } },
    ],
  });
}

/** All edges of all densities; those that a density does not have are hidden. */
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

/** What the drawing can show. */
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
      redraw({ edges });
    },
    showColours(colours) {
      state.colours = colours;
      redraw({ nodes });
    },
    showFocus(node, neighbours) {
      const before = litKeys();
      const lit = node === null ? null : new Set([node, ...neighbours.map((other) => other.node)]);
      state.focus = node === null ? null : { node, neighbours, lit };
      container.classList.toggle("faded", node !== null);
      redraw({ nodes: [...before, ...litKeys()] });
    },
    /** Draw at once; where that takes long, leave the edges out while the camera moves. */
    drawFirst() {
      const started = performance.now();
      sigma.render();
      const { edges: canvas } = sigma.getCanvases();
      const gl = canvas.getContext("webgl2") || canvas.getContext("webgl");
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits for it
      if (performance.now() - started > SLOW) sigma.setSetting("hideEdgesOnMove", true);
    },
    changeTheme(changed) {
      state.theme = changed;
    },
  };
}

/** The ways to move the camera. */
function movesOf(sigma, report) {
  const camera = sigma.getCamera();
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const options = { duration: still ? 1 : FLIGHT };
  const closest = Math.min(0.5, Math.max(0.02, Math.sqrt(20 / report.names.length)));
  return {
    zoomIn: () => camera.animatedZoom({ ...options, factor: 1.6 }),
    zoomOut: () => camera.animatedUnzoom({ ...options, factor: 1.6 }),
    reset: () => camera.animatedReset(options),
    /** Fly to the middle of some nodes, close enough to see them and the others around. */
    flyTo(centre, others) {
      const at = centre.map((node) => sigma.getNodeDisplayData(node));
      const x = at.reduce((sum, place) => sum + place.x, 0) / at.length;
      const y = at.reduce((sum, place) => sum + place.y, 0) / at.length;
      const places = others.map((node) => sigma.getNodeDisplayData(node));
      const reach = Math.max(0, ...places.map((place) => Math.hypot(place.x - x, place.y - y)));
      camera.animate({ x, y, ratio: Math.min(1, Math.max(closest, 2.6 * reach)) }, options);
    },
  };
}

/** How an edge is drawn at every level of strength; dense drawings get fainter edges. */
function edgeStyles(theme, edgeCount, nodeCount) {
  const faint = Math.min(1, Math.max(0.15, Math.sqrt(3000 / Math.max(edgeCount, 1))));
  const thick = Math.min(4, Math.max(1.4, 70 / Math.sqrt(nodeCount)));
  return Array.from({ length: LEVELS + 1 }, (_, level) => {
    if (level === 0) return { hidden: true };
    const strength = level / LEVELS;
    return {
      size: thick * (0.25 + 0.75 * strength),
      color: premultiplied(theme.edge, faint * (0.2 + 0.65 * strength)),
    };
  });
}

/** Sigma's shaders expect colours that are multiplied by their opacity. */
function premultiplied(rgb, opacity) {
  return `rgba(${rgb.map((part) => Math.round(part * opacity)).join(",")},${opacity.toFixed(3)})`;
}

function edgeStyle({ graph, styles, scale }, edge) {
  const weight = graph.weights[edge];
  if (!(weight > 0) || !styles.length) return { hidden: true };
  return styles[Math.max(1, Math.round(LEVELS * Math.sqrt(Math.min(1, weight / scale))))];
}

/** The edges at the chosen node, above everything that is faded, and the names at their ends. */
function drawFocus(sigma, { focus, theme }) {
  const { width, height } = sigma.getDimensions();
  const canvases = sigma.getCanvases();
  const [lines, names] = [canvases.focus, canvases.names].map((canvas) => canvas.getContext("2d"));
  for (const context of [lines, names]) context.clearRect(0, 0, width, height);
  if (!focus) return;
  const centre = placeOf(sigma, focus.node);
  const ends = focus.neighbours.map(({ node }) => placeOf(sigma, node));
  ends.forEach((end, k) => drawLine(lines, centre, end, focus.neighbours[k].weight / focus.neighbours[0].weight, theme));
  const labelled = [centre, ...ends.slice(0, LABELLED)];
  const taken = labelled.map(discBox);
  labelled.forEach((node) => drawLabel(names, node, theme, taken, node === centre ? "bold" : ""));
}

/** A node on the screen. */
function placeOf(sigma, node) {
  const { x, y, size, label } = sigma.getNodeDisplayData(node);
  return { ...sigma.framedGraphToViewport({ x, y }), size: sigma.scaleSize(size), label };
}

function drawLine(context, start, end, share, theme) {
  const strength = Math.sqrt(share);
  context.strokeStyle = `rgb(${theme.highlight.join(" ")} / ${0.3 + 0.7 * strength})`;
  context.lineWidth = 0.8 + 2.4 * strength;
  context.beginPath();
  context.moveTo(start.x, start.y);
  context.lineTo(end.x, end.y);
  context.stroke();
}

/** A ring around the chosen node; the name of one under the pointer that has none. */
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

/** A name to the right or left of its node, unless it would cover what is `taken` already. */
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
