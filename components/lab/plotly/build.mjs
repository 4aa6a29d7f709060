// plotly.js with scatter and heatmap alone: 100 kB less than its smallest ready-made bundle that has both.
// The settings are those of plotly.js's own bundles (esbuild-config.js in its package); what they do for
// maps and WebGL is left out, since no such trace is in it. `make plotly` runs this.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const vendor = join(here, "../../../assets/vendor");
const plotly = dirname(createRequire(import.meta.url).resolve("plotly.js/package.json"));
const { version } = JSON.parse(readFileSync(join(plotly, "package.json"), "utf-8"));
const licence = readFileSync(join(plotly, "LICENSE"), "utf-8");

await build({
  stdin: {
    contents: `
      const Plotly = require("plotly.js/lib/core");
      Plotly.register([require("plotly.js/lib/heatmap")]);
      module.exports = Plotly;
    `,
    resolveDir: here,
  },
  outfile: join(vendor, "plotly-slim.min.js"),
  format: "iife",
  globalName: "Plotly",
  bundle: true,
  minify: true,
  target: "es2016",
  define: { global: "window", "define.amd": "false", "process.env.NODE_DEBUG": "false" },
  alias: { stream: "stream-browserify" },
  // The first line has Chromium compile the whole file beside the page while it comes, not function by function on
  // the page's own thread when each is first called: 25 ms there instead of 110.
  banner: {
    js: `//# allFunctionsCalledOnLoad\n/* plotly.js (scatter, heatmap) v${version}, Copyright 2012-2026 Plotly, Inc., MIT license */`,
  },
  loader: { ".css": "empty" }, // the style of maps, which no trace here draws
  legalComments: "none",
  logLevel: "warning",
});
writeFileSync(join(vendor, "plotly-slim.LICENSE.txt"), licence);
