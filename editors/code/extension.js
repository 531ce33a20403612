// Starts `exitpath lsp` and stops it. Everything else is in the server.
const { homedir } = require("node:os");
const { window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const folders = "{blocked-edges,channels,internal-channels,build-suggestions,risk-tests}";
// The update service reads a file like `4.1.0.yaml-disabled`, too.
const patterns = [`${folders}/*.{yaml,yml,json,toml}*`, "raw/metadata.json", "version", "exitpath.toml"];

let client;

async function start() {
  const settings = workspace.getConfiguration("exitpath");
  const command = settings.get("path");
  client = new LanguageClient(
    "exitpath",
    // Windows looks for a program in the working folder first, so that must not be the repository.
    { command, args: ["lsp", ...settings.get("arguments")], options: { cwd: homedir() } },
    { documentSelector: patterns.map((pattern) => ({ scheme: "file", pattern: `**/${pattern}` })) },
  );
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`${command} does not start. Install exitpath, or set exitpath.path. ${error}`);
  }
}

async function stop() {
  if (client?.isRunning()) await client.stop();
}

async function activate(context) {
  const changed = async (event) => {
    if (!event.affectsConfiguration("exitpath")) return;
    await stop();
    await start();
  };
  context.subscriptions.push(workspace.onDidChangeConfiguration(changed));
  await start();
}

module.exports = { activate, deactivate: stop };
