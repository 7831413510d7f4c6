// The state of the page in its address, after "#", so that a link or a bookmark shows the same.

/** Return the state in the address, as far as it fits this report; what is not there is undefined. */
function readAddress(report, choices) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const number = (name, low, high) => {
    const value = parameters.has(name) ? Number(parameters.get(name)) : NaN;
    return value >= low && value <= high ? value : undefined;
  };
  const whole = (name, count) => {
    const value = number(name, 0, count - 1);
    return Number.isInteger(value) ? value : undefined;
  };
  const color = choices.findIndex(({ label }) => label === parameters.get("color"));
  const camera = ["x", "y", "zoom"].map((name) => number(name, -1e3, 1e3));
  return {
    density: whole(report.times === null ? "density" : "time", report.graphs.length),
    color: color < 0 ? undefined : color,
    node: whole("node", report.names.length),
    weight: number("weight", 0, Infinity),
    stability: number("stability", 0, 1),
    hidden: parameters.has("hide") ? new Set(parameters.getAll("hide")) : undefined,
    camera: camera.includes(undefined) || camera[2] <= 0 ? undefined : camera,
  };
}

/** Write what differs from the state in which the page opens. */
function writeAddress(report, state, first, choices, camera) {
  const parameters = new URLSearchParams();
  if (state.density !== first.density) parameters.set(report.times === null ? "density" : "time", state.density);
  if (state.color !== first.color) parameters.set("color", choices[state.color].label);
  if (state.kept) parameters.set("node", state.node);
  if (state.weight > 0) parameters.set("weight", Number((state.weight * (1 - 1e-6)).toPrecision(7)));
  if (state.stability > 0) parameters.set("stability", state.stability);
  for (const key of state.hidden) parameters.append("hide", key);
  if (camera !== null) ["x", "y", "zoom"].forEach((name, k) => parameters.set(name, Number(camera[k].toFixed(4))));
  const text = parameters.toString();
  if (text !== location.hash.slice(1)) history.replaceState(null, "", `#${text}`);
}
