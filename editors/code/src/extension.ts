// The extension: starts `recurva lsp` and adds what only an editor can do.

import * as path from "node:path";
import * as vscode from "vscode";
import {
  type CodeLens,
  CodeLensRequest,
  type ExecuteCommandParams,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";

import { languages, modelOf, nearest } from "./choose";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  // Properties may be about models that are not open.
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.{bp,rem,rsm,pds,nsm}");
  const restart = async (): Promise<void> => {
    await deactivate();
    await start(watcher);
  };
  context.subscriptions.push(
    watcher,
    vscode.commands.registerCommand("recurva.checkHere", checkHere),
    vscode.commands.registerCommand("recurva.explore", explore),
    vscode.commands.registerCommand("recurva.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("recurva")) {
        await restart();
      }
    }),
  );
  await start(watcher);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

function program(): string {
  return vscode.workspace.getConfiguration("recurva").get("path", "recurva");
}

async function start(watcher: vscode.FileSystemWatcher): Promise<void> {
  const run = { command: program(), args: ["lsp"] };
  const server: ServerOptions = { run, debug: run };
  const options: LanguageClientOptions = {
    synchronize: { fileEvents: watcher },
    documentSelector: languages.map((language) => ({ language })),
    initializationOptions: {
      timeout: vscode.workspace.getConfiguration("recurva").get("timeout", 60),
    },
  };
  client = new LanguageClient("recurva", "Recurva", server, options);
  try {
    await client.start();
  } catch (cause) {
    client = undefined;
    const text = `recurva lsp cannot be started (${String(cause)}). Set recurva.path to the program.`;
    void vscode.window.showErrorMessage(text);
  }
}

/** Runs the lens at the cursor, or the nearest one above it. */
async function checkHere(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || client === undefined) {
    return;
  }
  const textDocument = { uri: editor.document.uri.toString() };
  const lenses: CodeLens[] | null = await client.sendRequest(CodeLensRequest.type, { textDocument });
  const lens = nearest(lenses ?? [], editor.selection.active.line);
  if (lens?.command === undefined) {
    void vscode.window.showInformationMessage("There is no property here that can be checked.");
    return;
  }
  const params: ExecuteCommandParams = {
    command: lens.command.command,
    arguments: lens.command.arguments ?? [],
  };
  await client.sendRequest(ExecuteCommandRequest.type, params);
}

/** Opens the explorer on the model of the editor, in a terminal. */
function explore(): void {
  const document = vscode.window.activeTextEditor?.document;
  const model = document === undefined ? undefined : modelOf(document.uri.fsPath);
  if (model === undefined) {
    void vscode.window.showInformationMessage("Open a model first: .bp, .rem, .rmc, .rsm, .pds or .nsm.");
    return;
  }
  const terminal = vscode.window.createTerminal({
    name: `recurva explore ${path.basename(model)}`,
    shellPath: program(),
    shellArgs: ["explore", model],
  });
  terminal.show();
}
