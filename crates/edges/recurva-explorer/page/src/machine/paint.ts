/** Nodes and edges as SVG near by, on a canvas from far away. */
import type { DrawnEdge, DrawnNode } from "../document.js";
import { svg } from "../dom.js";
import { arrowOf, boxOf, pathOf, type Scene } from "./scene.js";

/** What is emphasised: classes by the indices of nodes and edges. */
export interface Marks {
  nodes: Map<number, string>;
  edges: Map<number, string>;
}

/** A node in SVG. */
export function svgNode(node: DrawnNode, mark: string, words: boolean): SVGGElement {
  const { left, top } = boxOf(node);
  const { x, y, width, height, shape } = node;
  const group = svg("g", { class: ["node", ...node.classes, mark].join(" "), "data-id": node.id });
  if (shape === "circle" || shape === "double" || shape === "ellipse" || shape === "point") {
    group.append(svg("ellipse", { cx: x, cy: y, rx: width / 2, ry: height / 2, class: "shape" }));
    if (shape === "double")
      group.append(
        svg("ellipse", { cx: x, cy: y, rx: width / 2 - 3, ry: height / 2 - 3, class: "inner" }),
      );
  } else
    group.append(
      svg("rect", {
        x: left,
        y: top,
        width,
        height,
        rx: shape === "rounded" ? 8 : 2,
        class: "shape",
      }),
    );
  if (words) {
    const line = 14;
    const first = y - ((node.lines.length - 1) * line) / 2;
    node.lines.forEach((text, k) =>
      group.append(
        svg("text", { x, y: first + k * line, "text-anchor": "middle", dy: "0.35em" }, text),
      ),
    );
  }
  for (const port of node.ports ?? []) {
    group.append(svg("circle", { cx: port.x, cy: port.y, r: 4, class: `port ${port.kind}` }));
    if (words && port.label !== "")
      group.append(
        svg(
          "text",
          {
            x: port.x,
            y: port.y + (port.y < y ? 11 : -11),
            "text-anchor": "middle",
            dy: "0.35em",
            class: "port-label",
          },
          port.label,
        ),
      );
  }
  return group;
}

/** An edge in SVG. */
export function svgEdge(edge: DrawnEdge, mark: string, words: boolean): SVGGElement {
  const group = svg("g", { class: ["edge", ...edge.classes, mark].join(" "), "data-id": edge.id });
  group.append(svg("path", { d: pathOf(edge.points), class: "wire" }));
  const arrow = arrowOf(edge.points);
  if (arrow.length > 0)
    group.append(
      svg("polygon", { points: arrow.map((p) => p.join(",")).join(" "), class: "arrow" }),
    );
  if (words && edge.label && edge.label.text !== "") {
    const { x, y, text } = edge.label;
    group.append(svg("text", { x, y, "text-anchor": "middle", dy: "0.35em" }, text));
  }
  return group;
}

/** The colours of the page, for the canvas. */
export type Colours = {
  [name in "wire" | "shape" | "border" | "current" | "visited" | "failing" | "hit"]: string;
};

/** Reads the colours from the style sheet. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim() || "gray";
  return {
    wire: read("--wire"),
    shape: read("--node"),
    border: read("--node-line"),
    current: read("--current-strong"),
    visited: read("--visited"),
    failing: read("--violated"),
    hit: read("--hit"),
  };
}

/** Paints what is in view from far away. */
export function paintFar(
  context: CanvasRenderingContext2D,
  scene: Scene,
  seen: { nodes: Set<number>; edges: Set<number> },
  marks: Marks,
  colours: Colours,
  view: { x: number; y: number; scale: number; ratio: number },
): void {
  const { x, y, scale, ratio } = view;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
  const line = 1 / scale;
  const wires = new Map<string, number[]>();
  const put = (groups: Map<string, number[]>, key: string, index: number) => {
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  };
  for (const index of seen.edges)
    put(wires, colourOf(marks.edges.get(index), colours, colours.wire), index);
  for (const [colour, group] of wires) {
    context.strokeStyle = colour;
    context.lineWidth = colour === colours.wire ? line : 2.5 * line;
    context.beginPath();
    for (const index of group) {
      const points = scene.drawing.edges[index]?.points ?? [];
      points.forEach(([px, py], k) => (k === 0 ? context.moveTo(px, py) : context.lineTo(px, py)));
    }
    context.stroke();
  }
  const boxes = new Map<string, number[]>();
  for (const index of seen.nodes)
    put(boxes, colourOf(marks.nodes.get(index), colours, colours.border), index);
  for (const [colour, group] of boxes) {
    context.fillStyle = colour;
    // Marked nodes stay visible from any distance.
    const least = (colour === colours.border ? 1 : 6) / scale;
    for (const index of group) {
      const node = scene.drawing.nodes[index] as DrawnNode;
      const [width, height] = [Math.max(node.width, least), Math.max(node.height, least)];
      context.fillRect(node.x - width / 2, node.y - height / 2, width, height);
    }
  }
}

function colourOf(mark: string | undefined, colours: Colours, otherwise: string): string {
  if (!mark) return otherwise;
  for (const name of ["hit", "current", "failing", "visited"] as const)
    if (mark.split(" ").includes(name)) return colours[name];
  return otherwise;
}
