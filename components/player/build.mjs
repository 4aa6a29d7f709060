// One bundle of everything in src/, minified and committed, so that the app itself needs no node.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: { "lab.min": here("src/main.ts") },
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
