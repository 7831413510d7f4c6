// The search box: it suggests nodes while the user types; Enter or a click opens one.

const SUGGESTIONS = 8;

/** Return the nodes whose names equal the text, then begin with it, then contain it. */
function matchingNodes(names, lowered, text) {
  const wanted = text.toLowerCase();
  const ranked = [[], [], [], []];
  for (let n = 0; n < names.length; n++) {
    const at = lowered[n].indexOf(wanted);
    if (at < 0) continue;
    const rank = names[n] === text ? 0 : lowered[n] === wanted ? 1 : at === 0 ? 2 : 3;
    if (ranked[rank].length < SUGGESTIONS) ranked[rank].push(n);
  }
  return ranked.flat().slice(0, SUGGESTIONS);
}

/** Connect the search box; it calls `choose` with the node that the user selects. */
function connectSearch(report, choose) {
  const box = byId("search"), list = byId("suggestions"), message = byId("not-found");
  const lowered = report.names.map((name) => name.toLowerCase());
  let found = [];
  let active = -1;

  function show(nodes) {
    found = nodes;
    activate(-1);
    list.replaceChildren(
      ...found.map((node, k) => {
        const properties = { id: `suggestion-${k}`, role: "option", onclick: () => go(node) };
        return element("li", properties, isolateText(report.names[node]));
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
    const [best] = matchingNodes(report.names, lowered, box.value);
    if (best !== undefined) return go(best);
    message.replaceChildren("No node is called ", isolateText(box.value), ".");
  }

  box.addEventListener("input", () => {
    message.replaceChildren();
    show(box.value === "" ? [] : matchingNodes(report.names, lowered, box.value));
  });
  box.addEventListener("blur", () => message.replaceChildren());
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".search")) show([]);
  });
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
