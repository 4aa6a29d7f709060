/** Nothing is kept that nobody uses: what a module exports, another one imports. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = ["src", "test"]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf-8" }).map((name) => join(root, folder, name)))
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"));
const parsed = new Map(files.map((name) => [name, ts.createSourceFile(name, readFileSync(name, "utf-8"), ts.ScriptTarget.Latest)]));

function importsOf(source: ts.SourceFile, name: string): string[] {
  return source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const from = resolve(dirname(name), (moduleSpecifier as ts.StringLiteral).text);
    const names = importClause?.namedBindings && ts.isNamedImports(importClause.namedBindings) ? importClause.namedBindings.elements : [];
    const plain = importClause?.name ? ["default"] : [];
    return [...plain, ...names.map((one) => (one.propertyName ?? one.name).text)].map((one) => `${from}:${one}`);
  });
}

function exportsOf(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (ts.isExportAssignment(statement)) return ["default"];
    if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
    return [(statement as ts.FunctionDeclaration | ts.ClassDeclaration | ts.TypeAliasDeclaration).name!.text];
  });
}

test("every export is imported somewhere", () => {
  const used = new Set([...parsed].flatMap(([name, source]) => importsOf(source, name)));
  const all = [...parsed].flatMap(([name, source]) => exportsOf(source).map((one) => `${name}:${one}`));
  assert.ok(all.length > 150);
  assert.deepEqual(
    all.filter((one) => !used.has(one)),
    [],
  );
});
