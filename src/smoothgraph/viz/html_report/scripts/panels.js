// The panels beside the drawing: strongest edges and chart.

const STRONGEST = 50;
const CHART = { width: 300, height: 120, left: 34, right: 8, top: 18, bottom: 30 };

/** List the strongest of the shown edges; a click on a row calls `choose` with both ends of its edge. */
function fillStrongest(body, report, graph, shown, choose) {
  const rows = strongestEdges(report, graph, shown, STRONGEST).map((edge) => {
    const a = report.i[edge], b = report.j[edge];
    return element(
      "tr",
      { onclick: () => choose(a, b) },
      element("td", {}, nameButton(report, a, null)),
      element("td", {}, isolateText(report.names[b])),
      element("td", {}, weightText(graph.weights[edge]))
    );
  });
  body.replaceChildren(...rows);
}

/** Draw components and isolated nodes over density, and mark the current density. */
function drawChart(box, graphs, current) {
  const { width, height, left, right, top, bottom } = CHART;
  const densities = graphs.map((graph) => graph.edges_per_node);
  const [least, most] = [densities[0], densities[densities.length - 1]];
  const highest = Math.max(...graphs.map((graph) => graph.n_components));
  const x = (density) => left + ((width - left - right) * (density - least)) / (most - least || 1);
  const y = (count) => height - bottom - ((height - top - bottom) * count) / highest;
  const line = (field, name) => {
    const points = graphs.map((graph) => [x(graph.edges_per_node), y(graph[field])]);
    return [
      svgElement("polyline", { class: name, points: points.join(" ") }),
      ...points.map(([cx, cy], k) => svgElement("circle", { class: name, cx, cy, r: k === current ? 4 : 2 })),
    ];
  };
  const text = (content, attributes) => svgElement("text", attributes, content);
  const floor = height - bottom;
  const here = x(densities[current]);
  box.replaceChildren(
    svgElement(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": "Components and isolated nodes over edges per node",
      },
      svgElement("line", { class: "axis", x1: left, x2: width - right, y1: floor, y2: floor }),
      svgElement("line", { class: "axis", x1: left, x2: left, y1: top, y2: floor }),
      svgElement("line", { class: "current", x1: here, x2: here, y1: top, y2: floor }),
      ...line("n_components", "components"),
      ...line("n_isolated", "isolated"),
      text("components", { class: "components", x: left + 6, y: 10 }),
      text("isolated nodes", { class: "isolated", x: left + 84, y: 10 }),
      text(highest.toLocaleString("en"), { x: left - 5, y: top + 8, "text-anchor": "end" }),
      text("0", { x: left - 5, y: floor, "text-anchor": "end" }),
      text(least.toFixed(1), { x: left, y: floor + 13 }),
      text(most.toFixed(1), { x: width - right, y: floor + 13, "text-anchor": "end" }),
      text("edges per node", { x: (left + width - right) / 2, y: floor + 25, "text-anchor": "middle" })
    )
  );
}
