// The client's side: what the editor would say to `recurva lsp`, over its standard streams.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import rpc from "vscode-jsonrpc/node.js";

const program = process.env.RECURVA_BIN;
const skip = program === undefined && "RECURVA_BIN does not name the program (cargo xtask test sets it)";

test("open, ask, check, leave", { skip }, async () => {
  const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise((resolve) => server.on("exit", resolve));
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const published = [];
  let listener = () => {};
  connection.onNotification("textDocument/publishDiagnostics", (params) => {
    published.push(params);
    listener();
  });
  const messages = [];
  connection.onNotification("window/showMessage", (params) => messages.push(params.message));
  connection.listen();
  const diagnostics = async (wanted) => {
    for (;;) {
      const found = published.find(wanted);
      if (found !== undefined) {
        return found.diagnostics;
      }
      await new Promise((resolve) => (listener = resolve));
    }
  };

  const answer = await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
  assert.deepEqual(answer.capabilities.executeCommandProvider.commands, ["recurva.check"]);
  await connection.sendNotification("initialized", {});
  const file = path.resolve(import.meta.dirname, "../../../examples/assert_fails.bp");
  const uri = pathToFileURL(file).href;
  const text = readFileSync(file, "utf8");
  const textDocument = { uri, languageId: "recurva-bp", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  assert.deepEqual(await diagnostics((it) => it.version === 1), []);
  const lenses = await connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });
  const lens = lenses.find((it) => it.command.arguments[1].assertion === 0);
  const verdict = await connection.sendRequest("workspace/executeCommand", {
    command: lens.command.command,
    arguments: lens.command.arguments,
  });
  assert.equal(verdict.verdict, "violated");
  assert.deepEqual(messages, [verdict.message]);
  const [found] = await diagnostics((it) => it.diagnostics.length > 0);
  assert.deepEqual(found.range.start, lens.range.start);
  assert.ok(found.relatedInformation.length > 1);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await exited, 0);
  connection.dispose();
});
