/** Begins: finds the document, or follows the check until there is one. */
import type { Document } from "./document.js";
import { button, fill, h } from "./dom.js";
import { GONE, serviceOf, type Service } from "./service.js";
import { Store } from "./store.js";
import { liveView } from "./views/live.js";
import { buildPage } from "./views/page.js";

/** How often a running check is asked how far it is, in milliseconds. */
const OFTEN = 500;

const root = document.getElementById("page") as HTMLElement;
const service = serviceOf(document);

function open(given: Document): void {
  if (given.format !== "recurva-exploration" || given.version !== 1) {
    fail("This page cannot read the document: it is of another version of Recurva.");
    return;
  }
  document.title = `${given.model} · Recurva`;
  const store = new Store(given, service);
  buildPage(store, root);
  store.begin();
}

function fail(message: string): void {
  fill(
    root,
    h(
      "main",
      { class: "live", id: "main" },
      h("h1", {}, "Recurva"),
      h("p", { class: "problem", role: "alert" }, message),
      service.live && button("Try again", () => void begin()),
    ),
  );
}

async function follow(server: Service): Promise<void> {
  const live = liveView(server);
  fill(root, live.element);
  for (;;) {
    try {
      const status = await server.status();
      live.show(status);
      if (status.state !== "running") {
        const given = await server.document();
        if (given) return open(given);
      }
    } catch (failure) {
      live.gone(failure instanceof Error ? failure.message : GONE);
    }
    await new Promise((done) => setTimeout(done, OFTEN));
  }
}

async function begin(): Promise<void> {
  try {
    const given = await service.document();
    if (given) open(given);
    else await follow(service);
  } catch (failure) {
    fail(failure instanceof Error ? failure.message : String(failure));
  }
}

void begin();
