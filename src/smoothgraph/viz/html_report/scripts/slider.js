// The slider over the graphs, which are of several densities or times, and the chart that it moves on.

const CHART = { width: 300, height: 120, left: 34, right: 8, top: 18, bottom: 30 };
const SECONDS_PER_GRAPH = 1;

/** Return the texts of a slider over densities, with a chart of components and isolated nodes. */
function densitySlider({ graphs }) {
  const densities = graphs.map((graph) => graph.edges_per_node);
  return {
    title: "Density",
    several: "densities",
    labels: densities.map((density) => `${density.toFixed(1)} edges per node`),
    chart: {
      at: densities,
      ends: [densities[0].toFixed(1), densities[densities.length - 1].toFixed(1)],
      unit: "edges per node",
      lines: [
        { name: "components", counts: graphs.map((graph) => graph.n_components) },
        { name: "isolated nodes", counts: graphs.map((graph) => graph.n_isolated) },
      ],
    },
  };
}

/** Return the texts of a slider over times, with a chart of all edges and of those that the graph before lacks. */
function timeSlider({ graphs, times }) {
  const edges = graphs.map(({ weights }) => weights.reduce((count, weight) => count + (weight > 0), 0));
  const isNew = (k) => (count, weight, edge) => count + (weight > 0 && graphs[k - 1].weights[edge] === 0);
  return {
    title: "Time",
    several: "times",
    labels: times,
    chart: {
      at: times.map((_, k) => k),
      ends: [times[0], times[times.length - 1]],
      unit: "",
      lines: [
        { name: "edges", counts: edges },
        { name: "new edges", counts: graphs.map(({ weights }, k) => (k ? weights.reduce(isNew(k), 0) : 0)), from: 1 },
      ],
    },
  };
}

/** Draw two counts over what the slider goes through, and mark the current graph. */
function drawChart(box, { at, ends, unit, lines }, current) {
  const { width, height, left, right, top, bottom } = CHART;
  const [least, most] = [at[0], at[at.length - 1]];
  const highest = Math.max(1, ...lines.flatMap(({ counts }) => counts));
  const x = (value) => left + ((width - left - right) * (value - least)) / (most - least || 1);
  const y = (count) => height - bottom - ((height - top - bottom) * count) / highest;
  const classes = ["first", "second"];
  const line = ({ counts, from = 0 }, which) => {
    const points = counts.map((count, k) => [x(at[k]), y(count)]).slice(from);
    const name = classes[which];
    return [
      svgElement("polyline", { class: name, points: points.join(" ") }),
      ...points.map(([cx, cy], k) => svgElement("circle", { class: name, cx, cy, r: k + from === current ? 4 : 2 })),
    ];
  };
  const text = (content, attributes) => svgElement("text", attributes, content);
  const floor = height - bottom;
  const here = x(at[current]);
  box.replaceChildren(
    svgElement(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `${lines.map(({ name }) => name).join(" and ")} over ${unit || "time"}`,
      },
      svgElement("line", { class: "axis", x1: left, x2: width - right, y1: floor, y2: floor }),
      svgElement("line", { class: "axis", x1: left, x2: left, y1: top, y2: floor }),
      svgElement("line", { class: "current", x1: here, x2: here, y1: top, y2: floor }),
      ...lines.flatMap(line),
      ...lines.map(({ name }, k) => text(name, { class: classes[k], x: left + 6 + 78 * k, y: 10 })),
      text(highest.toLocaleString("en"), { x: left - 5, y: top + 8, "text-anchor": "end" }),
      text("0", { x: left - 5, y: floor, "text-anchor": "end" }),
      text(ends[0], { x: left, y: floor + 13 }),
      text(ends[1], { x: width - right, y: floor + 13, "text-anchor": "end" }),
      text(unit, { x: (left + width - right) / 2, y: floor + 25, "text-anchor": "middle" })
    )
  );
}

/** Let a button go through all graphs, from the current one on, or from the first if that is the last. */
function connectPlaying(button, count, current, show) {
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
    button.textContent = "Play";
  };
  const step = () => {
    if (current() === count - 1) stop();
    else show(current() + 1);
  };
  button.onclick = () => {
    if (timer !== null) return stop();
    if (current() === count - 1) show(0);
    timer = setInterval(step, 1000 * SECONDS_PER_GRAPH);
    button.textContent = "Stop";
  };
  byId("density").addEventListener("input", stop);
  host.closing?.addEventListener("abort", stop);
}
