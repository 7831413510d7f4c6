// The drawing: Sigma on WebGL, with canvases for the map, dashes, and the edges and names at the selected node.

const FLIGHT = 450; // milliseconds
const FULLY_LABELED = 60; // nodes up to which all of them show their names
const USUAL_WIDTH = 700; // pixels: nodes are smaller on narrow screens
const SELECTED_RING = 1.5; // pixels around each of the selected nodes
const SLOW = 60; // milliseconds for one drawing

const hasWebGL = () => {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl2") || canvas.getContext("webgl"));
};

/** Return a view that draws nothing, for browsers without WebGL. */
function blankView() {
  const nothing = () => {};
  return {
    showGraph: nothing, showColors: nothing, showFocus: nothing, showEdge: nothing, showSelected: nothing, changeTheme: nothing,
    drawFirst: nothing, flyTo: nothing, zoomIn: nothing, zoomOut: nothing, reset: nothing,
  };
}

/** Draw the graph in a container, and return the ways to change the drawing. */
function createView(container, report, theme) {
  const graph = unionGraph(report);
  const state = {
    theme, shown: null, lookOf: () => null, dashed: [], isDashed: new Set(), colors: [], focus: null, edge: null,
    selected: new Set(),
    taken: null,
    sigma: null, // until `new Sigma`, which already renders once, has returned
  };
  const settings = { ...generalSettings(report.names.length), ...looks(report, graph, state, container.clientWidth) };
  const sigma = new Sigma(graph, container, settings);
  state.sigma = sigma;
  sigma.createCanvasContext("map", { beforeLayer: "edges" });
  sigma.createCanvasContext("dashes", { beforeLayer: "nodes" });
  sigma.createCanvasContext("focus", { beforeLayer: "hovers" });
  sigma.createCanvasContext("names", { beforeLayer: "mouse" }).resize(true);
  sigma.on("beforeRender", () => (state.taken = null));
  sigma.on("afterRender", () => drawOverlays(report, state));
  return {
    sigma,
    graph,
    place: (node) => placeOf(sigma, node),
    lookOf: (edge) => state.lookOf(edge),
    ...changesOf(graph, state, report, container),
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
function looks(report, graph, state, width) {
  const narrow = Math.min(1, Math.max(0.5, width / USUAL_WIDTH));
  const size = narrow * Math.min(9, Math.max(1.6, 170 / Math.sqrt(report.names.length)));
  const few = report.names.length <= FULLY_LABELED;
  const shownNodes = () => graph.nodes().filter((node) => state.shown === null || state.shown.nodes[node]);
  return {
    nodeReducer: (key, position) => ({
      ...position,
      size,
      label: report.names[key],
      color: state.colors[key],
      borderColor: state.theme.surface,
      hidden: state.shown !== null && !state.shown.nodes[key],
      highlighted: state.focus !== null && state.focus.lit.has(Number(key)),
    }),
    edgeReducer: (key) => edgeData(state, Number(key)),
    defaultDrawNodeLabel: (context, node) => {
      if (state.sigma === null) return;
      state.taken ??= few ? shownNodes().map((other) => discBox(placeOf(state.sigma, other))) : [];
      drawLabel(context, node, state.theme, state.taken);
    },
    defaultDrawNodeHover: (context, node) => drawHover(context, node, state),
  };
}

/** Return Sigma's data of an edge; one with dashes is clear, because a canvas shows it. */
function edgeData(state, edge) {
  const look = state.lookOf(edge);
  if (look === null) return { hidden: true };
  const { size, rgb, opacity } = look;
  if (state.isDashed.has(edge)) return { size, color: CLEAR, dashes: opaque(rgb) };
  return { size, color: premultiply(rgb, opacity) };
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
function changesOf(graph, state, report, container) {
  const { sigma } = state;
  const nodes = graph.nodes();
  const edges = graph.edges();
  const redraw = (partialGraph) => sigma.refresh({ partialGraph, skipIndexation: true, schedule: true });
  const litKeys = () => (state.focus ? Array.from(state.focus.lit, String) : []);
  return {
    showGraph(shownGraph, shown) {
      state.shown = shown;
      state.lookOf = lookOfEdges(report, shownGraph, shown, state.theme);
      state.dashed = dashedEdges(shownGraph, shown);
      state.isDashed = new Set(state.dashed);
      redraw({ nodes, edges });
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
    /** Highlight an edge, or none if it is null. */
    showEdge(edge) {
      state.edge = edge;
      drawOverlays(report, state);
    },
    /** Draw rings around nodes. */
    showSelected(selected) {
      state.selected = selected;
      drawOverlays(report, state);
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

function drawOverlays(report, state) {
  const { sigma, theme, focus, edge } = state;
  const { width, height } = sigma.getDimensions();
  const canvases = sigma.getCanvases();
  const [map, dashes, lines, names] = ["map", "dashes", "focus", "names"].map((id) => canvases[id].getContext("2d"));
  for (const context of [map, dashes, lines, names]) context.clearRect(0, 0, width, height);
  const place = (node) => placeOf(sigma, node);
  const ends = (e) => [place(report.i[e]), place(report.j[e])];
  if (report.map !== null) drawMap(map, report.map, (at) => sigma.graphToViewport(at), theme);
  for (const node of state.selected) drawRing(dashes, place(node), theme, SELECTED_RING);
  drawDashes(dashes, state.dashed, state.lookOf, ends, (size) => sigma.scaleSize(size));
  if (focus) drawFocus(lines, names, focus, place, theme);
  if (edge !== null) strokeLine(lines, ...ends(edge), opaque(theme.highlight), 3);
}

/** Return the place, size and label of a node on the screen. */
function placeOf(sigma, node) {
  const { x, y, size, label } = sigma.getNodeDisplayData(node);
  return { ...sigma.framedGraphToViewport({ x, y }), size: sigma.scaleSize(size), label };
}
