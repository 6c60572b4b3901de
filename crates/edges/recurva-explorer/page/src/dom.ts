/** Making elements. Text is always set as text: names in a model are not to be trusted. */

type Child = Node | string | null | undefined | false;

type Options = {
  [name: string]: string | number | boolean | null | undefined | ((event: never) => void);
};

/** An element with attributes (and `onclick` and the like), and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setOptions(element, options);
  put(element, ...children);
  return element;
}

/** An element of SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  options: Options = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setOptions(element, options);
  put(element, ...children);
  return element;
}

function setOptions(element: Element, options: Options): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function")
      element.addEventListener(name.replace(/^on/, ""), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function put(element: Element, ...children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child);
}

/** Replaces what is in an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  put(element, ...children);
}

/** A button. */
export function button(text: string, click: () => void, options: Options = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick: click, ...options }, text);
}

/** A choice between texts, with a label. */
export function select(
  label: string,
  choices: readonly [value: string, text: string][],
  value: string,
  change: (value: string) => void,
): HTMLLabelElement {
  const element = h("select", { onchange: () => change(element.value) });
  for (const [each, text] of choices)
    element.append(h("option", { value: each, selected: each === value }, text));
  return h("label", { class: "choice" }, h("span", { class: "name" }, label), element);
}

let ids = 0;

/** An id that nothing else has. */
export function freshId(prefix: string): string {
  return `${prefix}-${++ids}`;
}

/** A panel: a region with a heading, tools and a body. */
export function panel(
  name: string,
  title: string,
): { element: HTMLElement; tools: HTMLElement; body: HTMLElement; heading: HTMLElement } {
  const heading = h("h2", { id: `${name}-title` }, title);
  const tools = h("div", { class: "tools" });
  const body = h("div", { class: "body" });
  const element = h(
    "section",
    { class: `panel ${name}`, id: `panel-${name}`, "aria-labelledby": `${name}-title` },
    h("div", { class: "bar" }, heading, tools),
    body,
  );
  return { element, tools, body, heading };
}
