/** A drawing that is moved and zoomed; only what is in view is in the page. */
import type { Drawing, DrawnEdge, DrawnNode } from "../document.js";
import { h, svg } from "../dom.js";
import { coloursOf, paintFar, svgEdge, svgNode, type Colours, type Marks } from "./paint.js";
import { Scene } from "./scene.js";

/** Words are left out below this scale. */
const WORDS = 0.45;
/** With more than this in view a canvas is painted instead. */
const MOST = 900;
const SCALES: [number, number] = [0.0005, 4];

/** The viewer. */
export class Viewer {
  readonly element: HTMLElement;
  /** Is called with the index of a node that was chosen. */
  onChoose: (node: number) => void = () => {};
  scene: Scene | null = null;
  private readonly root = svg("g", {});
  private readonly edgeLayer = svg("g", {});
  private readonly nodeLayer = svg("g", {});
  private readonly picture: SVGSVGElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly shownNodes = new Map<number, SVGGElement>();
  private readonly shownEdges = new Map<number, SVGGElement>();
  private marks: Marks = { nodes: new Map(), edges: new Map() };
  private scale = 1;
  private x = 0;
  private y = 0;
  private words = true;
  private queued = false;
  private fresh = true;
  private colours: Colours | null = null;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private dragged = 0;

  constructor(label: string) {
    this.root.append(this.edgeLayer, this.nodeLayer);
    this.picture = svg("svg", { "aria-hidden": "true" }, this.root);
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.element = h(
      "div",
      { class: "canvas", tabindex: 0, role: "application", "aria-label": label },
      this.canvas,
      this.picture,
    );
    this.listen();
    new ResizeObserver(() => {
      if (this.fresh && this.width > 0) this.fit();
      this.queue();
    }).observe(this.element);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.colours = null;
      this.queue();
    });
  }

  private get width(): number {
    return this.element.clientWidth;
  }

  private get height(): number {
    return this.element.clientHeight;
  }

  /** Shows a drawing, all of it if it stays readable. */
  show(scene: Scene): void {
    if (this.scene === scene) return;
    this.scene = scene;
    this.clear();
    this.fresh = true;
    if (this.width > 0) this.fit();
    this.queue();
  }

  /** Emphasises nodes and edges. */
  mark(marks: Marks): void {
    this.marks = marks;
    for (const [index, element] of this.shownNodes)
      this.restyle(element, this.nodeOf(index), marks.nodes.get(index), "node");
    for (const [index, element] of this.shownEdges)
      this.restyle(element, this.edgeOf(index), marks.edges.get(index), "edge");
    this.queue();
  }

  private restyle(
    element: SVGGElement,
    drawn: DrawnNode | DrawnEdge,
    mark: string | undefined,
    kind: string,
  ): void {
    element.setAttribute("class", [kind, ...drawn.classes, mark ?? ""].join(" "));
  }

  private nodeOf(index: number): DrawnNode {
    return this.scene?.drawing.nodes[index] as DrawnNode;
  }

  private edgeOf(index: number): DrawnEdge {
    return this.scene?.drawing.edges[index] as DrawnEdge;
  }

  /** The whole drawing; a large one only as far as words can be read, from its top. */
  fit(readable = true): void {
    const drawing = this.scene?.drawing;
    if (!drawing || this.width === 0) return;
    this.fresh = false;
    const margin = 16;
    const whole = Math.min(
      (this.width - 2 * margin) / drawing.width,
      (this.height - 2 * margin) / drawing.height,
      1.25,
    );
    this.scale = readable ? Math.max(whole, WORDS + 0.05) : whole;
    this.x = Math.max(margin, (this.width - drawing.width * this.scale) / 2);
    if (this.scale > whole && drawing.width * this.scale > this.width)
      this.x = (this.width - drawing.width * this.scale) / 2;
    this.y = margin;
    this.queue();
  }

  /** Brings a node into view; near if it is too small to read. */
  reveal(index: number): void {
    const node = this.nodeOf(index);
    if (!node || this.width === 0) return;
    this.fresh = false;
    if (this.scale < WORDS) this.scale = 0.8;
    const [left, top] = [node.x * this.scale + this.x, node.y * this.scale + this.y];
    const [mx, my] = [(node.width * this.scale) / 2 + 8, (node.height * this.scale) / 2 + 8];
    if (left < mx || left > this.width - mx) this.x = this.width / 2 - node.x * this.scale;
    if (top < my || top > this.height - my) this.y = this.height / 2 - node.y * this.scale;
    this.queue();
  }

  /** Zooms by a factor, about a point of the element (or its middle). */
  zoom(factor: number, px = this.width / 2, py = this.height / 2): void {
    const scale = Math.min(SCALES[1], Math.max(SCALES[0], this.scale * factor));
    this.x = px - ((px - this.x) * scale) / this.scale;
    this.y = py - ((py - this.y) * scale) / this.scale;
    this.scale = scale;
    this.queue();
  }

  /** Moves what is seen. */
  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.queue();
  }

  private listen(): void {
    const { element, pointers } = this;
    const at = (event: PointerEvent | WheelEvent) => {
      const box = element.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    element.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const { x, y } = at(event);
        const unit = event.deltaMode === 1 ? 20 : 1;
        this.zoom(Math.exp((-event.deltaY * unit) / 400), x, y);
      },
      { passive: false },
    );
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      pointers.set(event.pointerId, at(event));
      if (pointers.size === 1) this.dragged = 0;
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = at(event);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const was = Math.hypot(before.x - other.x, before.y - other.y);
        const is = Math.hypot(now.x - other.x, now.y - other.y);
        if (was > 0) this.zoom(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2);
        this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
        this.dragged = Infinity;
      } else {
        this.pan(now.x - before.x, now.y - before.y);
        this.dragged += Math.hypot(now.x - before.x, now.y - before.y);
      }
      pointers.set(event.pointerId, now);
    });
    element.addEventListener("pointerup", (event) => {
      if (!pointers.delete(event.pointerId) || this.dragged > 5) return;
      const { x, y } = at(event);
      const { scale } = this;
      const node = this.scene?.nodeAt((x - this.x) / scale, (y - this.y) / scale, 6 / scale);
      if (node !== null && node !== undefined) this.onChoose(node);
    });
    element.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
    element.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const far = event.shiftKey ? 200 : 50;
      const moves: { [key: string]: () => void } = {
        ArrowLeft: () => this.pan(far, 0),
        ArrowRight: () => this.pan(-far, 0),
        ArrowUp: () => this.pan(0, far),
        ArrowDown: () => this.pan(0, -far),
        "+": () => this.zoom(1.25),
        "=": () => this.zoom(1.25),
        "-": () => this.zoom(0.8),
        "0": () => this.fit(false),
      };
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      move();
    });
  }

  private queue(): void {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.draw();
    });
  }

  private clear(): void {
    this.edgeLayer.replaceChildren();
    this.nodeLayer.replaceChildren();
    this.shownNodes.clear();
    this.shownEdges.clear();
  }

  private draw(): void {
    const { scene, scale, x, y, width, height } = this;
    if (!scene || width === 0) return;
    const margin = 40 / scale;
    const seen = scene.within({
      left: -x / scale - margin,
      top: -y / scale - margin,
      right: (width - x) / scale + margin,
      bottom: (height - y) / scale + margin,
    });
    const far = seen.nodes.size + seen.edges.size > MOST;
    this.element.dataset["mode"] = far ? "canvas" : "svg";
    this.canvas.hidden = !far;
    if (far) {
      this.clear();
      this.paint(seen);
      return;
    }
    const words = scale >= WORDS;
    if (words !== this.words) this.clear();
    this.words = words;
    this.root.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    sync(this.shownEdges, seen.edges, this.edgeLayer, (index) =>
      svgEdge(this.edgeOf(index), this.marks.edges.get(index) ?? "", words),
    );
    sync(this.shownNodes, seen.nodes, this.nodeLayer, (index) =>
      svgNode(this.nodeOf(index), this.marks.nodes.get(index) ?? "", words),
    );
  }

  private paint(seen: { nodes: Set<number>; edges: Set<number> }): void {
    const { canvas, scene } = this;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = canvas.getContext("2d");
    if (!context || !scene) return;
    this.colours ??= coloursOf(this.element);
    const { x, y, scale } = this;
    paintFar(context, scene, seen, this.marks, this.colours, { x, y, scale, ratio });
  }
}

function sync(
  shown: Map<number, SVGGElement>,
  wanted: Set<number>,
  layer: SVGGElement,
  make: (index: number) => SVGGElement,
): void {
  for (const [index, element] of shown)
    if (!wanted.has(index)) {
      element.remove();
      shown.delete(index);
    }
  for (const index of wanted) {
    if (shown.has(index)) continue;
    const element = make(index);
    shown.set(index, element);
    layer.append(element);
  }
}

/** Scenes of drawings that have been shown, so that each is indexed once. */
const scenes = new WeakMap<Drawing, Scene>();

/** The scene of a drawing. */
export function sceneOf(drawing: Drawing): Scene {
  let scene = scenes.get(drawing);
  if (!scene) scenes.set(drawing, (scene = new Scene(drawing)));
  return scene;
}
