// What the tests of pages share.
'use strict';
const { execFileSync } = require('node:child_process');
const vm = require('node:vm');

// Runs exitpath, and returns what it prints.
exports.runner = (program) => (...args) => {
  const options = { maxBuffer: 2 ** 30, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  try {
    return execFileSync(program, args, options);
  } catch (error) {
    // 1: it found something, such as stranded releases.
    if (error.status === 1) return error.stdout;
    throw error;
  }
};

// The classes of a page's script, and the graph that the page contains, without a browser.
exports.loaded = async (html) => {
  const [, data] = html.match(/<script type="application\/octet-stream" id="data">([^<]*)<\/script>/);
  const [, script] = html.match(/<script>([^]*)<\/script>\s*<\/body>/);
  const open = script.replace(/\nstart\(\);\n\}\)\(\);\s*$/, '\nreturn { unpack, Graph, Simulation, bestPath, nearestExits };\n})();');
  const context = vm.createContext({ atob, Blob, DecompressionStream, Response, URLSearchParams, Uint8Array });
  const page = vm.runInContext(open, context);
  const graph = new page.Graph(await page.unpack(data));
  return { ...page, graph };
};
