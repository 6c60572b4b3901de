/** A list of rows of one height of which only those in view are in the page. */
import { h } from "./dom.js";

/** The list; `element` scrolls, `inner` holds the rows. */
export class VirtualList {
  readonly element: HTMLElement;
  readonly inner: HTMLElement;
  private count = 0;
  private active = -1;
  private readonly shown = new Map<number, HTMLElement>();
  private queued = false;

  constructor(
    private readonly height: number,
    private readonly render: (index: number) => HTMLElement,
    name: string,
    innerOptions: { [name: string]: string } = {},
  ) {
    this.inner = h("div", { class: "rows", tabindex: 0, ...innerOptions });
    this.element = h("div", { class: `list ${name}` }, this.inner);
    this.element.addEventListener("scroll", () => this.queue(), { passive: true });
    new ResizeObserver(() => this.queue()).observe(this.element);
  }

  private queue(): void {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.place();
    });
  }

  /** Shows `count` rows anew; row `active` is always in the page. */
  show(count: number, active: number): void {
    this.count = count;
    this.active = active;
    this.inner.style.height = `${count * this.height}px`;
    for (const row of this.shown.values()) row.remove();
    this.shown.clear();
    this.place();
  }

  /** The row of an index, if it is in the page. */
  row(index: number): HTMLElement | undefined {
    return this.shown.get(index);
  }

  /** Scrolls, if need be, so that a row and some around it are in view. */
  reveal(index: number): void {
    const { element, height } = this;
    const room = element.clientHeight;
    if (room === 0) return;
    const margin = Math.min(3 * height, Math.max(0, (room - height) / 2));
    const top = index * height;
    if (top - margin < element.scrollTop || top + height + margin > element.scrollTop + room) {
      const far = Math.abs(top - element.scrollTop) > 2 * room;
      const target =
        top - margin < element.scrollTop && !far ? top - margin : top + height + margin - room;
      element.scrollTop = far ? top - room / 2 : target;
    }
    this.place();
  }

  private place(): void {
    const { element, height } = this;
    const first = Math.max(0, Math.floor(element.scrollTop / height) - 4);
    const room = element.clientHeight || 400;
    const last = Math.min(this.count - 1, Math.ceil((element.scrollTop + room) / height) + 4);
    for (const [index, row] of this.shown)
      if ((index < first || index > last) && index !== this.active) {
        row.remove();
        this.shown.delete(index);
      }
    const wanted: number[] = [];
    for (let index = first; index <= last; index++) wanted.push(index);
    if (this.active >= 0 && this.active < this.count) wanted.push(this.active);
    for (const index of wanted) {
      if (this.shown.has(index)) continue;
      const row = this.render(index);
      row.classList.add("row");
      row.style.top = `${index * height}px`;
      row.style.height = `${height}px`;
      this.shown.set(index, row);
      this.inner.append(row);
    }
  }
}
