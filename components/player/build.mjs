// One bundle of everything in src/, minified and committed, so that the app itself needs no node; and the
// regenerator's runtime by itself, for the Study page, which has Dash's components but not the bundle.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: { "lab.min": here("src/main.ts"), "vendor/regenerator.min": here("node_modules/regenerator-runtime/runtime.js") },
  outdir: process.argv[2] ?? here("../../assets"),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2023",
  jsx: "transform",
  legalComments: "none",
  banner: { js: "//# allFunctionsCalledOnLoad" }, // Chromium then compiles it beside the page (components/common/document.py)
  logLevel: "warning",
});
