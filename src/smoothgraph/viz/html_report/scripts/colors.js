// Ways to color the nodes. A coloring is {colors, legend}, with one color per node.

// Its length is _MOST_COLORS in payload.py.
const PALETTE = [
  "#3b78c9", "#ef8a2c", "#2f9e5b", "#d64545", "#8a63d2", "#8f6b4a",
  "#e377b8", "#19a7b8", "#b5a11a", "#f2a0a0", "#6fbf3f", "#5b6fd8",
];
const VIRIDIS = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [109, 205, 89], [180, 222, 44], [253, 231, 37],
];

/** Return the colors of the page's theme, as defined in CSS. */
function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    node: value("node"),
    other: value("other"),
    missing: value("missing"),
    text: value("text"),
    surface: value("surface"),
    edge: value("edge").split(" ").map(Number),
    highlight: value("highlight").split(" ").map(Number),
    bridge: value("bridge").split(" ").map(Number),
  };
}

/** Return the choices of "Color by": a label, and a function from a graph to its coloring. */
function colorChoices(report) {
  const numbered = (graph) => Array.from({ length: graph.n_components }, (_, c) => `component ${c + 1}`);
  return [
    { label: "nothing", of: (_, theme) => uniform(report.names.length, theme) },
    { label: "component", of: (graph, theme) => byCategory(graph.components, numbered(graph), theme) },
    { label: "number of neighbors", of: (graph, theme) => byNumber(neighborCounts(report, graph), theme) },
    ...report.attributes.map((attribute) => ({
      label: attribute.name,
      of: (_, theme) =>
        attribute.kind === "number"
          ? byNumber(attribute.values, theme)
          : byCategory(attribute.codes, attribute.labels, theme),
    })),
  ];
}

function uniform(count, theme) {
  return { colors: new Array(count).fill(theme.node), legend: null };
}

/** Give each of the most frequent categories a color, in their own order; the rest is "other". */
function byCategory(codes, labels, theme) {
  const counts = new Array(labels.length).fill(0);
  let missing = 0;
  for (const code of codes) code < 0 ? missing++ : counts[code]++;
  const frequent = labels.map((_, code) => code).sort((a, b) => counts[b] - counts[a] || a - b);
  const shown = frequent.slice(0, PALETTE.length).sort((a, b) => a - b);
  const colorOf = new Array(labels.length).fill(theme.other);
  shown.forEach((code, k) => (colorOf[code] = PALETTE[k]));
  const entries = shown.map((code) => ({ label: labels[code], color: colorOf[code], count: counts[code] }));
  const rest = frequent.slice(PALETTE.length);
  if (rest.length) {
    const count = rest.reduce((sum, code) => sum + counts[code], 0);
    entries.push({ label: `other (${rest.length})`, color: theme.other, count });
  }
  if (missing) entries.push({ label: "missing", color: theme.missing, count: missing });
  return { colors: Array.from(codes, (code) => (code < 0 ? theme.missing : colorOf[code])), legend: { entries } };
}

/** Color numbers from the smallest to the largest; NaN is missing. */
function byNumber(values, theme) {
  let least = Infinity, most = -Infinity, missing = 0;
  for (const value of values) {
    if (Number.isNaN(value)) missing++;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  const range = most - least || 1;
  const colors = Array.from(values, (value) =>
    Number.isNaN(value) ? theme.missing : viridis((value - least) / range)
  );
  const entries = missing ? [{ label: "missing", color: theme.missing, count: missing }] : [];
  return { colors, legend: missing < values.length ? { least, most, entries } : { entries } };
}

/** Return one of 65 colors between dark blue at 0 and yellow at 1. */
function viridis(share) {
  const at = (Math.round(share * 64) / 64) * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(at), VIRIDIS.length - 2);
  const mixed = VIRIDIS[k].map((start, c) => Math.round(start + (at - k) * (VIRIDIS[k + 1][c] - start)));
  return `rgb(${mixed.join(",")})`;
}
