/** A check that is still running: how far it is, and the way to stop it. */
import type { Status } from "../document.js";
import { button, fill, h, svg } from "../dom.js";
import type { Service } from "../service.js";
import { bytes, grouped } from "../text.js";

/** Values kept for a curve. */
const KEPT = 120;

/** The page while a check is running. */
export function liveView(service: Service): {
  element: HTMLElement;
  show(status: Status): void;
  gone(message: string): void;
} {
  const rates: number[] = [];
  const steps: number[] = [];
  const numbers: number[] = [];
  let doing = "";
  let lastSteps: { at: number; steps: number } | null = null;
  const figures = h("div", { class: "engines" });
  const property = h("p", { class: "property" });
  const time = h("p", { class: "summary", role: "timer" });
  const problem = h("p", { class: "problem", role: "alert" });
  problem.hidden = true;
  const stop = button(
    "Stop",
    () => {
      stop.disabled = true;
      stop.textContent = "Stopping …";
      service.stop().catch((failure: unknown) => {
        stop.disabled = false;
        stop.textContent = "Stop";
        gone(failure instanceof Error ? failure.message : String(failure));
      });
    },
    { class: "stop" },
  );
  const element = h(
    "main",
    { class: "live", id: "main" },
    h("h1", {}, "The check is running"),
    property,
    time,
    figures,
    h("p", {}, stop),
    problem,
  );

  function engine(title: string, rows: [string, string][], curve: number[]): HTMLElement {
    return h(
      "section",
      { class: "engine" },
      h("h2", {}, title),
      sparkline(curve),
      h(
        "dl",
        {},
        ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
      ),
    );
  }

  function show(status: Status): void {
    problem.hidden = true;
    property.textContent = status.property;
    const which =
      status.questions > 1 ? `Question ${status.question + 1} of ${status.questions} · ` : "";
    time.textContent = `${which}${status.seconds.toFixed(1)} s`;
    const { explicit, symbolic, work } = status;
    const parts: HTMLElement[] = [];
    if (explicit) {
      rates.push(explicit.rate);
      if (rates.length > KEPT) rates.shift();
      parts.push(
        engine(
          "Explicit states",
          [
            ["states", grouped(explicit.states)],
            ["path edges", grouped(explicit.pathEdges)],
            ["waiting", grouped(explicit.waiting)],
            ["states per second", grouped(Math.round(explicit.rate))],
            ["memory", bytes(explicit.bytes)],
          ],
          rates,
        ),
      );
    }
    if (symbolic) {
      const now = { at: status.seconds, steps: symbolic.steps };
      if (lastSteps && now.at > lastSteps.at)
        steps.push(Math.max(0, (now.steps - lastSteps.steps) / (now.at - lastSteps.at)));
      lastSteps = now;
      if (steps.length > KEPT) steps.shift();
      parts.push(
        engine(
          "Decision diagrams",
          [
            ["nodes", grouped(symbolic.nodes)],
            ["steps", grouped(symbolic.steps)],
            ["memory", bytes(symbolic.bytes)],
          ],
          steps,
        ),
      );
    }
    if (work) {
      const rows: [string, string][] = [];
      if (work.round > 0) rows.push(["round", grouped(work.round)]);
      if (work.unit !== "") rows.push([work.unit, grouped(work.number)]);
      if (work.bytes > 0) rows.push(["memory", bytes(work.bytes)]);
      if (work.what !== doing) numbers.length = 0;
      doing = work.what;
      numbers.push(work.number);
      if (numbers.length > KEPT) numbers.shift();
      parts.push(engine(work.what, rows, numbers));
    }
    fill(figures, ...parts);
  }

  function gone(message: string): void {
    problem.textContent = message;
    problem.hidden = false;
  }

  return { element, show, gone };
}

/** A small curve of what was measured last. */
function sparkline(values: readonly number[]): SVGSVGElement {
  const [width, height] = [160, 32];
  const most = Math.max(1, ...values);
  const points = values.map((value, k) => {
    const x = (k / Math.max(1, KEPT - 1)) * width;
    return `${x.toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`;
  });
  return svg(
    "svg",
    { class: "sparkline", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    svg("polyline", { points: points.join(" ") }),
  );
}
