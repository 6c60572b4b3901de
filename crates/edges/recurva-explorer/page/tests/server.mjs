// A server that keeps to the contract of the page, for tests that need one to behave on demand.
import { createServer } from "node:http";
import { htmlOf, policy } from "./harness.mjs";

/** Serves a document; with `running` a check that goes on until it is stopped. */
export async function serve({ document, free = {}, running = false }) {
  const asked = [];
  let state = running ? "running" : "done";
  let ticks = 0;
  const prefix = "/token/";
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    const answer = (status, body, type = "application/json") => {
      response.writeHead(status, { "Content-Type": type, "Content-Security-Policy": policy() });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    };
    if (!url.pathname.startsWith(prefix)) return answer(404, { error: "no token" });
    const name = url.pathname.slice(prefix.length);
    asked.push(`${request.method} ${name}`);
    if (name === "") return answer(200, htmlOf(null), "text/html; charset=utf-8");
    if (name === "document") return state === "running" ? answer(202, {}) : answer(200, document);
    if (name === "stop" && request.method === "POST") {
      state = "stopped";
      return answer(200, {});
    }
    if (name === "status") return answer(200, statusOf(state, ++ticks));
    if (name === "free") {
      const picks = url.searchParams.get("picks") ?? "";
      const found = free[picks];
      const last = picks.split("/").at(-1);
      return found
        ? answer(200, found)
        : answer(400, { error: `\`${last}\` is not possible there: no such edge` });
    }
    return answer(404, { error: "no such thing" });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}${prefix}`,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

function statusOf(state, ticks) {
  return {
    state,
    question: 0,
    questions: 2,
    property: "label HIT is unreachable",
    seconds: ticks / 2,
    explicit: {
      states: 1000 + 13 * ticks,
      pathEdges: 2000,
      waiting: 7,
      rate: 100 + 20 * (ticks % 5),
      bytes: 1536,
    },
    symbolic: { nodes: 500, steps: 3 * ticks, bytes: 4096 },
    work: { what: "forward", round: 3, number: 40 + ticks, unit: "states", bytes: 2048 },
  };
}
