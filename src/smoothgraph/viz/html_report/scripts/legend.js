// The legend: what colors and dashes mean, and buttons that hide and show.

/** Fill the legend, or hide it if there is nothing to explain; a click on an entry calls `toggle` with its key. */
function fillLegend(box, title, { legend }, graph, theme, hidden, toggle) {
  const lines = [
    { key: HIDE_BRIDGES, label: "bridge", color: opaque(theme.bridge), count: graph.bridges.size, line: true },
    { key: HIDE_DOUBTFUL, label: "doubtful edge", color: opaque(theme.edge), count: graph.doubtful.size, line: true },
  ].filter(({ count }) => count > 0);
  box.hidden = legend === null && lines.length === 0;
  const content = byId("legend-content");
  content.replaceChildren();
  byId("legend-title").replaceChildren(legend === null ? "Legend" : isolateText(title));
  if (legend !== null && legend.least !== undefined) content.append(gradient(legend.scale), gradientEnds(legend));
  const entries = legend === null ? [] : legend.entries.map((entry) => ({ ...entry, key: HIDE_LABEL + entry.label }));
  content.append(element("ul", {}, ...[...entries, ...lines].map((entry) => legendEntry(entry, hidden, toggle))));
}

function legendEntry({ key, label, color, count, line }, hidden, toggle) {
  const swatch = element("span", { className: line ? "swatch line" : "swatch" });
  if (line) swatch.style.borderColor = color;
  else swatch.style.background = color;
  const total = element("span", { className: "count" }, count.toLocaleString("en"));
  const button = element("button", { type: "button", onclick: () => toggle(key) }, swatch, isolateText(label), total);
  button.setAttribute("aria-pressed", String(!hidden.has(key)));
  return element("li", {}, button);
}

function gradient(scale) {
  const bar = element("div", { className: "gradient" });
  bar.style.background = `linear-gradient(to right, ${scale.map(opaque).join(",")})`;
  return bar;
}

function gradientEnds({ least, most }) {
  return element(
    "div",
    { className: "ends" },
    element("span", {}, numberText(least, 4)),
    element("span", {}, numberText(most, 4))
  );
}

/** Let the heading of the legend fold it; on a narrow screen it is folded at first. */
function connectLegend(box) {
  const heading = byId("legend-title");
  const fold = (folded) => {
    box.classList.toggle("folded", folded);
    heading.setAttribute("aria-expanded", String(!folded));
  };
  heading.addEventListener("click", () => fold(!box.classList.contains("folded")));
  fold(matchMedia(NARROW).matches);
}

/** Put the legend into the lower corner where it covers fewer nodes. */
function moveLegend(box, report, view, shown) {
  const { height, width } = view.sigma.getDimensions();
  const covers = { right: 0, left: 0 };
  const [wide, high] = [box.offsetWidth + 30, box.offsetHeight + 30];
  for (let node = 0; node < report.names.length; node++) {
    const { x, y } = view.place(node);
    if (!shown.nodes[node] || y < height - high) continue;
    if (x > width - wide) covers.right++;
    if (x < wide) covers.left++;
  }
  box.classList.toggle("at-left", covers.left < covers.right);
}
