// Show a graph in a cell. Each view has a shadow root, so that neither styles nor names meet those of the notebook.

async function render({ model, el }) {
  const closing = new AbortController();
  const outside = document.createElement("div");
  outside.setAttribute("data-lm-suppress-shortcuts", ""); // JupyterLab's, while the user types here
  for (const kind of ["keydown", "keyup", "keypress"]) outside.addEventListener(kind, (event) => event.stopPropagation());
  const root = outside.attachShadow({ mode: "open" });
  root.innerHTML = CONTENT;
  root.getElementById("title").textContent = model.get("title");
  const page = root.querySelector(".page");
  const stretch = () => (page.style.height = `${model.get("height")}px`);
  stretch();
  model.on("change:height", stretch);
  closing.signal.addEventListener("abort", () => model.off("change:height", stretch));
  el.append(outside);
  const select = (nodes) => {
    model.set("_selected", nodes);
    model.save_changes();
  };
  const host = { title: model.get("title"), themed: page, ownsPage: false, select, closing: closing.signal };
  const shown = hasSize(page, closing.signal)
    .then(() => followTheme(outside, closing.signal))
    .then(() => showGraph(root, bytesOf(model.get("_payload")), host))
    .then((report) => connect(report, model, outside, page, closing.signal));
  shown.catch((error) => showFailure(root, error));
  return () => closing.abort();
}

/** Follow the selection in Python, the theme of the notebook, and the size of the cell. */
function connect(report, model, outside, page, signal) {
  if (signal.aborted) return report.sigma?.kill();
  const select = () => report.select(model.get("_selected"));
  select();
  model.on("change:_selected", select);
  outside.addEventListener("themechange", report.changeTheme);
  const resized = new ResizeObserver(() => page.clientWidth > 0 && report.sigma?.resize().refresh());
  resized.observe(page);
  signal.addEventListener("abort", () => {
    model.off("change:_selected", select);
    resized.disconnect();
    report.sigma?.kill();
  });
  return undefined;
}

/** Wait until an element is on the page and has a size. */
function hasSize(page, signal) {
  return new Promise((resolve) => {
    const observer = new ResizeObserver(() => {
      if (page.clientWidth === 0) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(page);
    signal.addEventListener("abort", () => observer.disconnect());
  });
}

/** Be dark where the text of the notebook is light; no event tells of a change in all notebooks. */
function followTheme(outside, signal) {
  const update = () => {
    const dark = lightness(getComputedStyle(outside).color) > 0.5;
    if (outside.classList.contains("dark") === dark) return;
    outside.classList.toggle("dark", dark);
    outside.dispatchEvent(new Event("themechange"));
  };
  const timer = setInterval(update, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  update();
}

/** Return how light a CSS color is, from 0 to 1. */
function lightness(color) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const context = canvas.getContext("2d");
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return (0.3 * red + 0.6 * green + 0.1 * blue) / 255;
}

function showFailure(root, error) {
  const message = root.getElementById("failure");
  message.textContent = error.message;
  message.hidden = false;
  console.error(error);
}

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

export default { render };
