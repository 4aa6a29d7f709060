/** Rules of the sources: no import cycle, type imports included, so that every module can be read and tested without
 *  those above it; no state and no listener that outlives a player. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../src/", import.meta.url));

/** The modules of src/, and which of them each one imports, as the compiler sees it. */
function graph(): Map<string, string[]> {
  const isModule = (name: string): boolean => /\.tsx?$/.test(name) && !name.endsWith(".d.ts");
  const modules = readdirSync(root, { recursive: true, encoding: "utf-8" }).filter(isModule);
  const importsOf = (name: string): string[] => {
    const { importedFiles } = ts.preProcessFile(ts.sys.readFile(join(root, name)) ?? "", true, true);
    const own = importedFiles.filter(({ fileName }) => fileName.startsWith("."));
    return own.map(({ fileName }) => relative(root, join(root, dirname(name), fileName)));
  };
  return new Map(modules.map((name) => [name, importsOf(name)]));
}

/** A path that ends where it began, if there is one. */
function cycleIn(imports: Map<string, string[]>): string[] | null {
  const done = new Set<string>();
  const search = (name: string, path: string[]): string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of imports.get(name) ?? []) {
      const found = search(next, [...path, name]);
      if (found) return found;
    }
    done.add(name);
    return null;
  };
  for (const name of imports.keys()) {
    const found = search(name, []);
    if (found) return found;
  }
  return null;
}

test("the search finds a cycle where there is one", () => {
  const imports = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", []],
    ["d", ["b"]],
  ]);
  assert.deepEqual(cycleIn(imports), ["b", "d", "b"]);
});

test("no module imports itself over others", () => {
  const imports = graph();
  assert.ok(imports.size > 30);
  assert.equal(cycleIn(imports)?.join(" -> ") ?? null, null);
});

/** The kernel: what a Player and its Panels are made of. */
const KERNEL = ["store", "derive", "draw", "view"];

function kernel(): [string, ts.SourceFile][] {
  const names = [...graph().keys()].filter((name) => KERNEL.includes(name.split("/")[0]));
  return names.map((name) => [name, ts.createSourceFile(name, ts.sys.readFile(join(root, name)) ?? "", ts.ScriptTarget.Latest, true)]);
}

test("the kernel imports nothing of the page around it, and each part only those below it", () => {
  for (const [name, imported] of graph()) {
    const rank = KERNEL.indexOf(name.split("/")[0]);
    if (rank < 0) continue;
    for (const other of imported.filter((path) => path !== "format.ts"))
      assert.ok(KERNEL.slice(0, rank + 1).includes(other.split("/")[0]), `${name} imports ${other}`);
  }
});

test("every listener of the kernel ends with its player", () => {
  for (const [name, source] of kernel()) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText(source).endsWith("addEventListener")) {
        const text = node.getText(source);
        const isEnd = /signal\??\.addEventListener\($/.test(node.getText(source).split('"')[0]);
        assert.ok(isEnd || /signal/.test(node.arguments[2]?.getText(source) ?? ""), `${name}: ${text.slice(0, 80)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
});

test("the kernel has no state outside its objects", () => {
  for (const [name, source] of kernel())
    for (const statement of source.statements)
      if (ts.isVariableStatement(statement))
        assert.ok(statement.declarationList.flags & ts.NodeFlags.Const, `${name}: ${statement.getText(source)}`);
});

test("every request has a time-out: only one place asks for anything", () => {
  const asking = [...graph().keys()].filter((name) => /\bfetch\(/.test(ts.sys.readFile(join(root, name)) ?? ""));
  assert.deepEqual(asking, ["store/source.ts"]);
});

/** Empty elements of the layout that scripts fill with elements of their own; React has nothing in them. */
const FILLED = ["#floating", "#bubble", "#menu", "#panel-tabs", "#run-note", "#import-head", "#import-notes"];

test("the page's scripts write no text into what React has drawn", () => {
  for (const name of [...graph().keys()].filter((one) => one.startsWith("shell/"))) {
    const source = ts.sys.readFile(join(root, name)) ?? "";
    // the style sheet of a printed picture is no text of the page
    assert.doesNotMatch(source.replace("rules.textContent", ""), /\.(textContent|innerText|innerHTML) = /, name);
    for (const [, place] of source.matchAll(/one\("([^"]+)"[^)]*\)\.(?:append|prepend|replaceChildren)\(/g))
      assert.ok(FILLED.includes(place), `${name}: ${place}`);
  }
});

test("the page's scripts set no attribute past Dash of an element that it has drawn", () => {
  const written =
    /one(?:<\w+>)?\([^)]*\)\.(?:(?:hidden|disabled|title|href|className|tabIndex|dataset\.\w+) = |setAttribute|toggleAttribute|classList)/;
  for (const name of [...graph().keys()].filter((one) => one.startsWith("shell/")))
    assert.doesNotMatch(ts.sys.readFile(join(root, name)) ?? "", written, name);
});
