// The search box: it suggests nodes, by name or by any of their values, while the user types; Enter or a click opens one.

const SUGGESTIONS = 8;

/**
 * Return {node, found} of nodes whose names equal the text, then begin with it, then contain it, then of those with
 * such a value in a column; `found` is that column and value, or null for a name.
 */
function matchingNodes(report, lowered, text) {
  const wanted = text.toLowerCase();
  const ranked = [[], [], [], []];
  for (let n = 0; n < lowered.length; n++) {
    const at = lowered[n].indexOf(wanted);
    if (at < 0) continue;
    const rank = report.names[n] === text ? 0 : lowered[n] === wanted ? 1 : at === 0 ? 2 : 3;
    if (ranked[rank].length < SUGGESTIONS) ranked[rank].push({ node: n, found: null });
  }
  const byName = ranked.flat();
  return [...byName, ...matchingValues(report, wanted, byName)].slice(0, SUGGESTIONS);
}

/** Return {node, found} of other nodes with a label that contains the text, or with this number. */
function matchingValues(report, wanted, before) {
  const seen = new Set(before.map(({ node }) => node));
  const result = [];
  for (const attribute of report.attributes) {
    const labels = attribute.kind === "number" ? [] : attribute.labels.map((label) => label.toLowerCase().includes(wanted));
    const matches = (n) =>
      attribute.kind === "number" ? attributeText(attribute, n) === wanted : labels[attribute.codes[n]] === true;
    for (let n = 0; n < report.names.length && result.length < SUGGESTIONS; n++) {
      if (seen.has(n) || !matches(n)) continue;
      seen.add(n);
      result.push({ node: n, found: `${attribute.name}: ${attributeText(attribute, n)}` });
    }
  }
  return result;
}

/** Connect the search box; it calls `choose` with the node that the user selects. */
function connectSearch(report, choose) {
  const box = byId("search"), list = byId("suggestions"), message = byId("not-found");
  const lowered = report.names.map((name) => name.toLowerCase());
  let found = [];
  let active = -1;

  function show(matches) {
    found = matches.map(({ node }) => node);
    activate(-1);
    list.replaceChildren(
      ...matches.map(({ node, found: value }, k) => {
        const properties = { id: `suggestion-${k}`, role: "option", onclick: () => go(node) };
        const aside = value === null ? [] : [element("span", { className: "value" }, isolateText(value))];
        return element("li", properties, isolateText(report.names[node]), ...aside);
      })
    );
    list.hidden = found.length === 0;
    box.setAttribute("aria-expanded", String(!list.hidden));
  }

  function activate(k) {
    active = k;
    for (const [row, item] of Array.from(list.children).entries()) {
      item.setAttribute("aria-selected", String(row === k));
    }
    if (k < 0) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", `suggestion-${k}`);
  }

  function go(node) {
    box.value = report.names[node];
    show([]);
    choose(node);
  }

  function enter() {
    if (box.value === "") return;
    if (active >= 0) return go(found[active]);
    const [best] = matchingNodes(report, lowered, box.value);
    if (best !== undefined) return go(best.node);
    message.replaceChildren("No node has the name or the value ", isolateText(box.value), ".");
  }

  box.addEventListener("input", () => {
    message.replaceChildren();
    show(box.value === "" ? [] : matchingNodes(report, lowered, box.value));
  });
  box.addEventListener("blur", () => message.replaceChildren());
  onPressOutside(box.closest(".search"), () => show([]));
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) {
      event.preventDefault();
      activate((active + step + found.length) % found.length);
    }
    if (event.key === "Enter") enter();
    if (event.key === "Escape") show([]);
  });
}
