// The edge under the pointer: it is highlighted, and a tip says which nodes it joins.

const REACH = 6; // pixels from an edge that still touch it

/** Return the shown edge that is nearest to a place on the screen, or null if none is within reach. */
function edgeAt(report, view, shown, x, y) {
  const { sigma } = view;
  const places = framedPlaces(report, view);
  const at = sigma.viewportToFramedGraph({ x, y });
  const beside = sigma.viewportToFramedGraph({ x: x + REACH, y });
  let nearest = null, least = (beside.x - at.x) ** 2 + (beside.y - at.y) ** 2;
  for (let e = 0; e < report.i.length; e++) {
    if (!shown.edges[e]) continue;
    const a = 2 * report.i[e], b = 2 * report.j[e];
    const dx = places[b] - places[a], dy = places[b + 1] - places[a + 1];
    const along = ((at.x - places[a]) * dx + (at.y - places[a + 1]) * dy) / (dx * dx + dy * dy || 1);
    const share = Math.min(1, Math.max(0, along));
    const apart = (at.x - places[a] - share * dx) ** 2 + (at.y - places[a + 1] - share * dy) ** 2;
    if (apart < least) [nearest, least] = [e, apart];
  }
  return nearest;
}

/** Return the coordinates of all nodes in Sigma's frame, which the camera does not change. */
function framedPlaces(report, view) {
  view.framed ??= Float64Array.from({ length: 2 * report.names.length }, (_, k) => {
    const place = view.sigma.getNodeDisplayData(k >> 1);
    return k % 2 === 0 ? place.x : place.y;
  });
  return view.framed;
}

/** Follow the mouse; `current` returns {graph, shown}, and `busy` whether a node is under the pointer. */
function connectEdgeHover(container, report, view, current, busy) {
  const tip = byId("edge-tip");
  let waiting = false;

  function point(edge, x, y) {
    tip.hidden = edge === null;
    view.showEdge(edge);
    if (edge === null) return;
    fillTip(tip, report, current().graph, edge);
    const { width } = container.getBoundingClientRect();
    tip.style.left = `${Math.min(x + 14, width - tip.offsetWidth - 8)}px`;
    tip.style.top = `${y + 14}px`;
  }

  container.addEventListener("mousemove", (event) => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const box = container.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      point(busy() || event.buttons ? null : edgeAt(report, view, current().shown, x, y), x, y);
    });
  });
  container.addEventListener("mouseleave", () => point(null));
}

function fillTip(tip, report, graph, edge) {
  const facts = [["weight", weightText(graph.weights[edge])]];
  if (report.stability !== null) facts.push(["stability", `${Math.round(100 * report.stability[edge])}%`]);
  const kinds = [...(graph.bridges.has(edge) ? ["bridge"] : []), ...(graph.doubtful.has(edge) ? ["doubtful edge"] : [])];
  const list = element("dl");
  fillDescriptions(list, facts);
  const ends = [isolateText(report.names[report.i[edge]]), " – ", isolateText(report.names[report.j[edge]])];
  tip.replaceChildren(element("p", {}, ...ends), list, ...kinds.map((kind) => element("p", { className: "kind" }, kind)));
}
