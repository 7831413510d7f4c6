// Two ways to show a scene: as SVG, and on a canvas.

/** Return the text of an SVG file. */
function sceneToSvg({ width, height, surface, frame, shapes, around }) {
  const clip = svgElement("clipPath", { id: "frame" });
  clip.append(svgElement("rect", { width: frame.width, height: frame.height }));
  const inside = svgElement("g", { "clip-path": "url(#frame)" }, ...shapes.map(svgOf));
  const root = svgElement(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
    svgElement("defs", {}, clip),
    svgElement("rect", { width, height, fill: surface }),
    svgElement("g", { transform: `translate(${frame.x} ${frame.y})` }, inside),
    ...around.map(svgOf)
  );
  return new XMLSerializer().serializeToString(root);
}

function svgOf(shape) {
  const round = (value) => Number(value.toFixed(2));
  const path = (points) => `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;
  switch (shape.kind) {
    case "area":
      return svgElement("path", { d: shape.rings.map((ring) => `${path(ring)}Z`).join(""), fill: shape.color });
    case "path": {
      const style = { fill: "none", stroke: shape.color, "stroke-width": shape.width };
      return svgElement("path", { d: shape.lines.map(path).join(""), ...style });
    }
    case "line": {
      const ends = { x1: round(shape.start.x), y1: round(shape.start.y), x2: round(shape.end.x), y2: round(shape.end.y) };
      const stroke = { stroke: shape.color, "stroke-width": round(shape.width), "stroke-opacity": round(shape.opacity) };
      return svgElement("line", { ...ends, ...stroke, ...(shape.dash ? { "stroke-dasharray": shape.dash.join(" ") } : {}) });
    }
    case "disc": {
      const look = { fill: shape.color, stroke: shape.border, "stroke-width": round(0.15 * shape.radius) };
      return svgElement("circle", { cx: round(shape.x), cy: round(shape.y), r: round(shape.radius), ...look });
    }
    default: {
      const halo = shape.halo ? { stroke: shape.halo, "stroke-width": 3, "paint-order": "stroke" } : {};
      const font = { "font-family": SCENE.font, "font-size": shape.size, fill: shape.color, ...halo };
      return svgElement("text", { x: round(shape.x), y: round(shape.y), ...font }, shape.text);
    }
  }
}

/** Return a canvas with the scene, `scale` times as large. */
function sceneToCanvas({ width, height, surface, frame, shapes, around }, scale) {
  const canvas = element("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.fillStyle = surface;
  context.fillRect(0, 0, width, height);
  context.save();
  context.translate(frame.x, frame.y);
  context.beginPath();
  context.rect(0, 0, frame.width, frame.height);
  context.clip();
  for (const shape of shapes) paint(context, shape);
  context.restore();
  for (const shape of around) paint(context, shape);
  return canvas;
}

function paint(context, shape) {
  const trace = (points) => points.forEach(({ x, y }, k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.beginPath();
  context.fillStyle = context.strokeStyle = shape.color;
  context.lineWidth = shape.width ?? 1;
  switch (shape.kind) {
    case "area":
      shape.rings.forEach((ring) => {
        trace(ring);
        context.closePath();
      });
      return context.fill();
    case "path":
      shape.lines.forEach(trace);
      return context.stroke();
    case "line":
      context.globalAlpha = shape.opacity;
      context.setLineDash(shape.dash ?? []);
      trace([shape.start, shape.end]);
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
      return undefined;
    case "disc":
      context.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI);
      context.fill();
      context.strokeStyle = shape.border;
      context.lineWidth = 0.15 * shape.radius;
      return context.stroke();
    default:
      context.font = `${shape.size}px ${SCENE.font}`;
      if (shape.halo) {
        context.strokeStyle = shape.halo;
        context.lineWidth = 3;
        context.lineJoin = "round";
        context.strokeText(shape.text, shape.x, shape.y);
      }
      return context.fillText(shape.text, shape.x, shape.y);
  }
}
