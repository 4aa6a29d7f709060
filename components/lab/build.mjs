// One bundle of everything in src/, minified and committed, so that the app itself needs no node.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: [here("src/main.ts")],
  outfile: process.argv[2] ?? here("../../assets/lab.min.js"),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2023",
  jsx: "transform",
  legalComments: "none",
  logLevel: "warning",
});
