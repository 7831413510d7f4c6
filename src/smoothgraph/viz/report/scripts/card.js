// The card of one node: what is known of it, and its strongest neighbours.

const SHOWN_NEIGHBOURS = 8;

/** Fill the card; `choose` is called with the neighbour whose name is clicked. */
function fillCard(card, report, node, neighbours, choose) {
  const degree = neighbours.reduce((sum, other) => sum + other.weight, 0);
  const facts = element("dl");
  fillDescriptions(facts, [
    ...report.attributes.map((attribute) => [attribute.name, attributeText(attribute, node)]),
    ["neighbours", String(neighbours.length)],
    ["weighted degree", weightText(degree)],
  ]);
  card.replaceChildren(element("h2", {}, isolated(report.names[node])), facts);
  if (neighbours.length) {
    card.append(element("h3", {}, "Strongest neighbours"), neighbourList(report, neighbours, choose));
  }
}

function neighbourList(report, neighbours, choose) {
  return element(
    "ol",
    {},
    ...neighbours.slice(0, SHOWN_NEIGHBOURS).map(({ node, weight }) => {
      const bar = element("span", { className: "bar" });
      bar.style.width = `${(100 * weight) / neighbours[0].weight}%`;
      const name = nameButton(report, node, () => choose(node));
      return element("li", {}, name, element("span", { className: "weight" }, weightText(weight)), bar);
    })
  );
}

function nameButton(report, node, onclick) {
  return element("button", { type: "button", className: "name", onclick }, isolated(report.names[node]));
}

function attributeText(attribute, node) {
  if (attribute.kind === "number") {
    const value = attribute.values[node];
    return Number.isNaN(value) ? "missing" : numberText(value);
  }
  const code = attribute.codes[node];
  return code < 0 ? "missing" : attribute.labels[code];
}
