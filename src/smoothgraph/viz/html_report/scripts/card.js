// The card of a node: its attributes, its degree, its strongest neighbors and its bridges.

const SHOWN_NEIGHBORS = 8;

/** Fill the card; a click on the name of a neighbor calls `choose` with that node, and one on the cross `close`. */
function fillCard(card, report, node, neighbors, choose, close) {
  const degree = neighbors.reduce((sum, other) => sum + other.weight, 0);
  const facts = element("dl");
  fillDescriptions(facts, [
    ...report.attributes.map((attribute) => [attribute.name, attributeText(attribute, node)]),
    ["neighbors", String(neighbors.length)],
    ["weighted degree", weightText(degree)],
  ]);
  const cross = element("button", { type: "button", className: "close", title: "Close", onclick: close }, "×");
  cross.setAttribute("aria-label", "Close");
  card.replaceChildren(cross, element("h2", {}, isolateText(report.names[node])), facts);
  const learned = neighbors.filter((other) => !other.bridge).slice(0, SHOWN_NEIGHBORS);
  const bridges = neighbors.filter((other) => other.bridge);
  for (const [title, listed] of [["Strongest neighbors", learned], ["Bridges", bridges]]) {
    if (listed.length) card.append(element("h3", {}, title), neighborList(report, listed, neighbors[0].weight, choose));
  }
}

/** List neighbors; the longest possible bar stands for the weight `most`. */
function neighborList(report, neighbors, most, choose) {
  return element(
    "ol",
    {},
    ...neighbors.map(({ node, weight, bridge }) => {
      const bar = element("span", { className: bridge ? "bar bridge" : "bar" });
      bar.style.width = `${(100 * weight) / most}%`;
      const name = nameButton(report, node, () => choose(node));
      return element("li", {}, name, element("span", { className: "weight" }, weightText(weight)), bar);
    })
  );
}

function nameButton(report, node, onclick) {
  return element("button", { type: "button", className: "name", onclick }, isolateText(report.names[node]));
}

function attributeText(attribute, node) {
  if (attribute.kind === "number") {
    const value = attribute.values[node];
    return Number.isNaN(value) ? "missing" : numberText(value);
  }
  const code = attribute.codes[node];
  return code < 0 ? "missing" : attribute.labels[code];
}
