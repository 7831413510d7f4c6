// The panel beside the drawing that lists the strongest edges.

const STRONGEST = 50;

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

