// A picture of what is shown, as a list of shapes, which becomes SVG or is painted on a canvas. It is always light.

const SCENE = { title: 34, legend: 210, line: 18, margin: 12, font: "system-ui, sans-serif" };

/** Return {width, height, shapes} of the drawing as it is on the screen, with its legend, and a title if there is one. */
function buildScene(report, view, graph, shown, coloring, { title, colorTitle, theme }) {
  const { width, height } = view.sigma.getDimensions();
  const entries = sceneLegend(coloring, graph, theme);
  const top = title === "" ? 0 : SCENE.title;
  const places = report.names.map((_, node) => view.place(node));
  const shapes = [
    ...mapShapes(report, view, theme),
    ...edgeShapes(report, view, graph, shown, places, theme),
    ...nodeShapes(shown, places, coloring, theme),
    ...nameShapes(shown, places, theme),
  ];
  return {
    width: width + (entries.length ? SCENE.legend : 0),
    height: height + top,
    surface: theme.surface,
    frame: { x: 0, y: top, width, height }, // the shapes are clipped to it, and moved by its corner
    shapes,
    around: [
      { kind: "text", x: SCENE.margin, y: 23, text: title, size: 16, color: theme.text },
      ...legendShapes(entries, coloring.legend, colorTitle, width + SCENE.margin, top + SCENE.line, theme),
    ],
  };
}

function mapShapes(report, view, theme) {
  if (report.map === null) return [];
  const outline = (points) => {
    const count = points.length / 2;
    const at = (k) => view.sigma.graphToViewport({ x: points[2 * k], y: points[2 * k + 1] });
    return Array.from({ length: count }, (_, k) => at(k));
  };
  const { land, coasts, borders } = report.map;
  return [
    { kind: "area", rings: land.map(outline), color: theme.land },
    { kind: "path", lines: borders.map(outline), color: theme.coast, width: 0.5 },
    { kind: "path", lines: coasts.map(outline), color: theme.coast, width: 0.8 },
  ];
}

function edgeShapes(report, view, graph, shown, places, theme) {
  const lookOf = lookOfEdges(report, graph, shown, theme);
  const dashed = new Set(dashedEdges(graph, shown));
  const line = (edge) => {
    const { size, rgb, opacity, dash } = lookOf(edge);
    const [start, end] = [places[report.i[edge]], places[report.j[edge]]];
    const width = Math.max(0.4, view.sigma.scaleSize(size));
    return { kind: "line", start, end, width, color: opaque(rgb), opacity, dash: dashed.has(edge) ? dash : null };
  };
  const edges = [...shown.edges.keys()].filter((edge) => shown.edges[edge] && !dashed.has(edge));
  return [...edges, ...dashed].map(line);
}

function nodeShapes(shown, places, coloring, theme) {
  return places.flatMap(({ x, y, size }, node) =>
    shown.nodes[node]
      ? [{ kind: "disc", x, y, radius: size, color: coloring.colors[node], border: theme.surface }]
      : []
  );
}

/** Return the names of the nodes if they are few. */
function nameShapes(shown, places, theme) {
  if (places.length > FULLY_LABELED) return [];
  const context = document.createElement("canvas").getContext("2d");
  const visible = places.filter((_, node) => shown.nodes[node]);
  const taken = visible.map(discBox);
  return visible.flatMap((place) => {
    const placed = placeLabel(context, place, taken);
    return placed === null ? [] : [{ kind: "text", ...placed, size: 12, color: theme.text, halo: theme.surface }];
  });
}

/** Return the entries of the legend: categories, bridges, and doubtful edges. */
function sceneLegend({ legend }, graph, theme) {
  return [
    ...(legend?.least === undefined ? [] : [{ scale: legend.scale }]),
    ...(legend?.entries ?? []),
    ...(graph.bridges.size ? [{ label: "bridge", color: opaque(theme.bridge), dash: DASHES.bridge }] : []),
    ...(graph.doubtful.size ? [{ label: "doubtful edge", color: opaque(theme.edge), dash: DASHES.doubtful }] : []),
  ];
}

function legendShapes(entries, legend, title, x, top, theme) {
  const text = (label, at, y, color = theme.text) => ({ kind: "text", x: at, y: y + 4, text: label, size: 12, color });
  const heading = legend === null || entries.length === 0 ? [] : [text(title, x, top, theme.quiet)];
  return heading.concat(
    entries.flatMap(({ label, color, dash, scale }, k) => {
      const y = top + SCENE.line * (k + heading.length);
      if (scale) return scaleShapes(scale, legend, x, y, text);
      const start = { x, y }, end = { x: x + 16, y };
      const mark = dash
        ? { kind: "line", start, end, width: 2, color, opacity: 1, dash }
        : { kind: "disc", x: x + 8, y, radius: 5, color, border: theme.surface };
      return [mark, text(label, x + 24, y)];
    })
  );
}

function scaleShapes(scale, { least, most }, x, y, text) {
  const width = 120 / scale.length;
  const parts = scale.map((rgb, k) => {
    const start = { x: x + k * width, y }, end = { x: x + (k + 1) * width, y };
    return { kind: "line", start, end, width: 10, color: opaque(rgb), opacity: 1, dash: null };
  });
  return [...parts, text(`${numberText(least, 3)} to ${numberText(most, 3)}`, x + 126, y)];
}
