// Makes dist/: the extension in one file, and the licenses of what is in it.
const { copyFileSync, readFileSync, readdirSync, writeFileSync } = require("node:fs");
const { buildSync } = require("esbuild");

const { metafile } = buildSync({
  entryPoints: ["extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  external: ["vscode"],
  metafile: true,
  minify: true,
  platform: "node",
  target: "node20",
});
const packages = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const found = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input);
  if (found) packages.add(found[0]);
}
const licenses = [...packages].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((file) => /^licen[sc]e/i.test(file));
  return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("dist/LICENSES.txt", licenses.join(`\n${"-".repeat(72)}\n\n`));
copyFileSync("../../LICENSE", "LICENSE");
