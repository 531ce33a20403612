// The classes of a page's script, and the graph that the page contains, without a browser.
'use strict';
const vm = require('node:vm');

exports.loaded = async (html) => {
  const [, data] = html.match(/<script type="application\/octet-stream" id="data">([^<]*)<\/script>/);
  const [, script] = html.match(/<script>([^]*)<\/script>\s*<\/body>/);
  const open = script.replace(/\nstart\(\);\n\}\)\(\);\s*$/, '\nreturn { unpack, Graph, Simulation, bestPath, nearestExits };\n})();');
  const context = vm.createContext({ atob, Blob, DecompressionStream, Response, URLSearchParams, Uint8Array });
  const page = vm.runInContext(open, context);
  const graph = new page.Graph(await page.unpack(data));
  return { ...page, graph };
};
