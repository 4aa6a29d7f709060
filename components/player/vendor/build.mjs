// What the pages have from others: plotly.js, and the styles of the grid. `make vendor` runs this, and
// `make check` compares what it makes with what is committed.
//
// plotly.js with scatter and heatmap alone: 100 kB less than its smallest ready-made bundle that has both.
// The settings are those of plotly.js's own bundles (esbuild-config.js in its package); what they do for
// maps and WebGL is left out, since no such trace is in it.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const vendor = process.argv[2] ?? join(here, "../../../assets/vendor");
const { resolve } = createRequire(import.meta.url);
const plotly = dirname(resolve("plotly.js/package.json"));
const grid = dirname(dirname(resolve("ag-grid-community/styles/ag-grid.min.css")));
const read = (...path) => readFileSync(join(...path), "utf-8");
const versionOf = (folder) => JSON.parse(read(folder, "package.json")).version;

// A figure with a trace of another type is drawn by the whole plotly.js, which Dash serves: it takes the place of this
// one, a few megabytes later. Left alone, plotly.js would draw a histogram as a zig-zag line, without a word.
const WHOLE = `
  const known = ["scatter", "heatmap"];
  let whole;
  const load = () => (whole ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "/_dash-component-suites/plotly/package_data/plotly.min.js";
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      whole = undefined;
      reject(new Error("The rest of plotly.js could not be loaded."));
    };
    document.head.append(script);
  }));
  for (const name of ["newPlot", "react"]) {
    const draw = Plotly[name];
    Plotly[name] = (plot, data, ...rest) => {
      const traces = Array.isArray(data) ? data : data?.data ?? [];
      const isKnown = traces.every((trace) => known.includes(trace?.type ?? "scatter"));
      return isKnown ? draw(plot, data, ...rest) : load().then((all) => all[name](plot, data, ...rest));
    };
  }
`;

await build({
  stdin: {
    contents: `
      const Plotly = require("plotly.js/lib/core");
      Plotly.register([require("plotly.js/lib/heatmap")]); // the core has scatter itself
      ${WHOLE}
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
    js: `//# allFunctionsCalledOnLoad\n/* plotly.js (scatter, heatmap) v${versionOf(plotly)}, Copyright 2012-2026 Plotly, Inc., MIT license */`,
  },
  loader: { ".css": "empty" }, // the style of maps, which no trace here draws
  legalComments: "none",
  logLevel: "warning",
});
writeFileSync(join(vendor, "plotly-slim.LICENSE.txt"), read(plotly, "LICENSE"));

// The grid can also write its styles into the page while it is mounted: a third of that task.
const styles = ["ag-grid", "ag-theme-quartz"].map((name) => read(grid, "styles", `${name}.min.css`).trim());
const told = `/* ag-grid-community v${versionOf(grid)}, Copyright AG GRID LTD, MIT license */`;
writeFileSync(join(vendor, "ag-grid.min.css"), `${[told, ...styles].join("\n")}\n`);
writeFileSync(join(vendor, "ag-grid.LICENSE.txt"), read(grid, "LICENSE.txt"));
