// Ways to color the nodes. A coloring is {colors, legend, groups}: a color and an entry of the legend per node.

const LEAST_CONTRAST = 3; // of a color to the dark surface
const TONES = 64; // steps of a scale

/** Return the colors of an element's theme, as defined in CSS. */
function themeColors(element = host.themed) {
  const style = getComputedStyle(element);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    other: value("other"),
    missing: value("missing"),
    text: value("text"),
    quiet: value("quiet"),
    surface: value("surface"),
    land: value("land"),
    coast: value("coast"),
    edge: value("edge").split(" ").map(Number),
    highlight: value("highlight").split(" ").map(Number),
    bridge: value("bridge").split(" ").map(Number),
  };
}

/** Return the choices of "Color by": a label, and a function from a graph to its coloring. */
function colorChoices(report) {
  const numbered = (graph) => Array.from({ length: graph.n_components }, (_, c) => `component ${c + 1}`);
  const { palette } = report;
  return [
    { label: "nothing", of: (_, theme) => uniform(report.names.length, palette, theme) },
    { label: "component", of: (graph, theme) => byCategory(graph.components, numbered(graph), palette, theme) },
    { label: "number of neighbors", of: (graph, theme) => byNumber(neighborCounts(report, graph), palette, theme) },
    ...report.attributes.map((attribute) => ({
      label: attribute.name,
      of: (_, theme) =>
        attribute.kind === "number"
          ? byNumber(attribute.values, palette, theme)
          : byCategory(attribute.codes, attribute.labels, palette, theme),
    })),
  ];
}

function uniform(count, { categories }, theme) {
  const color = opaque(distinctOn(theme, rgbOf(categories[0])));
  return { colors: new Array(count).fill(color), legend: null, groups: new Int32Array(count).fill(-1) };
}

/** Give each of the most frequent categories a color, in their own order; the rest is "other". */
function byCategory(codes, labels, { categories }, theme) {
  const counts = new Array(labels.length).fill(0);
  let missing = 0;
  for (const code of codes) code < 0 ? missing++ : counts[code]++;
  const frequent = labels.map((_, code) => code).sort((a, b) => counts[b] - counts[a] || a - b);
  const chosen = frequent.slice(0, categories.length).sort((a, b) => a - b);
  const rest = frequent.slice(categories.length);
  const entries = chosen.map((code, k) => {
    return { label: labels[code], color: opaque(distinctOn(theme, rgbOf(categories[k]))), count: counts[code] };
  });
  const groupOf = new Array(labels.length).fill(entries.length);
  chosen.forEach((code, k) => (groupOf[code] = k));
  if (rest.length) {
    const count = rest.reduce((sum, code) => sum + counts[code], 0);
    entries.push({ label: `other (${rest.length})`, color: theme.other, count });
  }
  if (missing) entries.push({ label: "missing", color: theme.missing, count: missing });
  const groups = Int32Array.from(codes, (code) => (code < 0 ? entries.length - 1 : groupOf[code]));
  return { colors: Array.from(groups, (group) => entries[group].color), legend: { entries }, groups };
}

/** Color numbers from the smallest to the largest; NaN is missing. */
function byNumber(values, palette, theme) {
  let least = Infinity, most = -Infinity, missing = 0;
  for (const value of values) {
    if (Number.isNaN(value)) missing++;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  const range = most - least || 1;
  const scale = palette.scale.map((color) => distinctOn(theme, rgbOf(color)));
  const tones = Array.from({ length: TONES + 1 }, (_, k) => opaque(mixed(scale, k / TONES)));
  const colors = Array.from(values, (value) =>
    Number.isNaN(value) ? theme.missing : tones[Math.round(((value - least) / range) * TONES)]
  );
  const entries = missing ? [{ label: "missing", color: theme.missing, count: missing }] : [];
  const groups = Int32Array.from(values, (value) => (Number.isNaN(value) ? 0 : -1));
  return { colors, legend: missing < values.length ? { least, most, scale, entries } : { entries }, groups };
}

/** Return the color at a share of the way along a scale. */
function mixed(scale, share) {
  const at = share * (scale.length - 1);
  const k = Math.min(Math.floor(at), scale.length - 2);
  return scale[k].map((start, c) => Math.round(start + (at - k) * (scale[k + 1][c] - start)));
}

const rgbOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** Return a color that does not vanish on a dark surface: the color itself, or one mixed with white. */
function distinctOn(theme, rgb) {
  const surface = luminance(rgbOf(theme.surface));
  if (surface > 0.5) return rgb;
  let result = rgb;
  for (let white = 0.05; (luminance(result) + 0.05) / (surface + 0.05) < LEAST_CONTRAST && white < 1; white += 0.05) {
    result = rgb.map((part) => Math.round(part + white * (255 - part)));
  }
  return result;
}

/** Return the relative luminance of a color, as WCAG defines it. */
function luminance(rgb) {
  const [r, g, b] = rgb.map((part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
