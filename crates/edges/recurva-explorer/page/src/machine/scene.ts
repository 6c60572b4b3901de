/** A drawing with an index by place: what is in a rectangle, what is at a point. */
import type { DrawnEdge, DrawnNode, Drawing } from "../document.js";

/** A rectangle: left, top, right, bottom. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** No table of cells is larger than this in either direction. */
const MOST_CELLS = 2000;

/** A drawing and its index. */
export class Scene {
  private readonly cell: number;
  private readonly nodeCells = new Map<number, number[]>();
  private readonly edgeCells = new Map<number, number[]>();
  private readonly nodeIds = new Map<string, number>();
  private readonly edgeIds = new Map<string, number[]>();

  constructor(readonly drawing: Drawing) {
    this.cell = Math.max(250, drawing.width / MOST_CELLS, drawing.height / MOST_CELLS);
    drawing.nodes.forEach((node, index) => {
      this.nodeIds.set(node.id, index);
      this.insert(this.nodeCells, boxOf(node), index);
    });
    drawing.edges.forEach((edge, index) => {
      const known = this.edgeIds.get(edge.id);
      if (known) known.push(index);
      else this.edgeIds.set(edge.id, [index]);
      for (let k = 0; k + 1 < edge.points.length; k++)
        this.insert(this.edgeCells, segmentBox(edge, k), index);
      if (edge.label) {
        const { x, y, text } = edge.label;
        const half = text.length * 3.5;
        this.insert(
          this.edgeCells,
          { left: x - half, right: x + half, top: y - 8, bottom: y + 8 },
          index,
        );
      }
    });
  }

  /** The index of the node with an id. */
  node(id: string): number | undefined {
    return this.nodeIds.get(id);
  }

  /** The indices of the edges with an id. */
  edges(id: string): readonly number[] {
    return this.edgeIds.get(id) ?? [];
  }

  private insert(cells: Map<number, number[]>, box: Box, index: number): void {
    this.cellsOf(box, (key) => {
      const cell = cells.get(key);
      if (!cell) cells.set(key, [index]);
      else if (cell[cell.length - 1] !== index) cell.push(index);
    });
  }

  private cellsOf(box: Box, each: (key: number) => void): void {
    const clamp = (value: number) =>
      Math.max(-1, Math.min(MOST_CELLS + 1, Math.floor(value / this.cell)));
    const [left, right] = [clamp(box.left), clamp(box.right)];
    const [top, bottom] = [clamp(box.top), clamp(box.bottom)];
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) each(row * 10_000 + column);
  }

  /** The nodes and edges that may be seen in a rectangle. */
  within(box: Box): { nodes: Set<number>; edges: Set<number> } {
    const nodes = new Set<number>();
    const edges = new Set<number>();
    this.cellsOf(box, (key) => {
      for (const index of this.nodeCells.get(key) ?? []) nodes.add(index);
      for (const index of this.edgeCells.get(key) ?? []) edges.add(index);
    });
    return { nodes, edges };
  }

  /** The node at a point, or the nearest one within `reach`. */
  nodeAt(x: number, y: number, reach: number): number | null {
    const { nodes } = this.within({
      left: x - reach,
      right: x + reach,
      top: y - reach,
      bottom: y + reach,
    });
    let best: number | null = null;
    let least = reach;
    for (const index of nodes) {
      const box = boxOf(this.drawing.nodes[index] as DrawnNode);
      const dx = Math.max(box.left - x, 0, x - box.right);
      const dy = Math.max(box.top - y, 0, y - box.bottom);
      const distance = Math.hypot(dx, dy);
      if (distance <= least) [best, least] = [index, distance];
    }
    return best;
  }
}

/** The rectangle of a node. */
export function boxOf(node: DrawnNode): Box {
  return {
    left: node.x - node.width / 2,
    right: node.x + node.width / 2,
    top: node.y - node.height / 2,
    bottom: node.y + node.height / 2,
  };
}

function segmentBox(edge: DrawnEdge, k: number): Box {
  const [a, b] = [edge.points[k] as [number, number], edge.points[k + 1] as [number, number]];
  return {
    left: Math.min(a[0], b[0]) - 4,
    right: Math.max(a[0], b[0]) + 4,
    top: Math.min(a[1], b[1]) - 4,
    bottom: Math.max(a[1], b[1]) + 4,
  };
}

/** A polyline with rounded corners, as the data of an SVG path. */
export function pathOf(points: readonly [number, number][]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let data = `M${first[0]} ${first[1]}`;
  rest.forEach((point, k) => {
    const next = rest[k + 1];
    if (!next) {
      data += `L${point[0]} ${point[1]}`;
      return;
    }
    const before = k === 0 ? first : (rest[k - 1] as [number, number]);
    const radius = Math.min(8, distance(before, point) / 2, distance(point, next) / 2);
    const [a, b] = [towards(point, before, radius), towards(point, next, radius)];
    data += `L${a[0]} ${a[1]}Q${point[0]} ${point[1]} ${b[0]} ${b[1]}`;
  });
  return data;
}

/** The three corners of an arrow's head. */
export function arrowOf(points: readonly [number, number][]): [number, number][] {
  const tip = points.at(-1);
  const from = points.findLast((point) => tip !== undefined && distance(point, tip) > 0.5);
  if (!tip || !from) return [];
  const length = distance(from, tip);
  const [dx, dy] = [(tip[0] - from[0]) / length, (tip[1] - from[1]) / length];
  const [x, y] = [tip[0] - 8 * dx, tip[1] - 8 * dy];
  return [tip, [x - 3.5 * dy, y + 3.5 * dx], [x + 3.5 * dy, y - 3.5 * dx]];
}

function distance(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function towards(
  from: readonly [number, number],
  to: readonly [number, number],
  by: number,
): [number, number] {
  const length = distance(from, to) || 1;
  return [from[0] + ((to[0] - from[0]) * by) / length, from[1] + ((to[1] - from[1]) * by) / length];
}
