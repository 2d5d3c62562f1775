import type { Import } from "./imports.ts"
import type { SourceTree, Violation } from "./source-tree.ts"
import { lineAt, literalText, nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode, walk } from "./syntax.ts"

/** Loaded by a test runner or a bundler, by names that no import mentions; the client's, by those who install it; or written by a tool. */
const loadedByTools =
  /(\.config\.ts|global-setup\.ts|^e2e\/|^web\/(src\/checkout\/render\.tsx?|preact-dom\.ts|vite-.*\.ts)|^client\/src\/tilinta\.ts|^server\/src\/db\/schema\.ts)/

const everything = "*"

/** An export that no file imports looks like a promise to others and keeps dead code alive. */
export function checkExportRules(tree: SourceTree, imports: Import[]): Violation[] {
  const used = usedNames(tree, imports)
  return [...tree].flatMap(([file, text]) => {
    const names = used.get(file) ?? new Set()
    if (loadedByTools.test(file) || names.has(everything)) return []
    return exportsOf(parseSource(file, text))
      .filter(({ name }) => !names.has(name))
      .map(({ name, node }) => ({
        rule: "exports-are-imported",
        file,
        line: lineAt(text, node.start),
        message: `no file imports '${name}'`,
      }))
  })
}

/** File → the names that others import from it. */
function usedNames(tree: SourceTree, imports: Import[]): Map<string, Set<string>> {
  const targets = new Map(
    imports.flatMap(({ from, specifier, target }) =>
      target.kind === "file" ? [[`${from} ${specifier}`, target.path] as const] : [],
    ),
  )
  const used = new Map<string, Set<string>>()
  for (const [from, text] of tree) {
    walk(parseSource(from, text), (node) => {
      const source = nodeAt(node, "source") ?? nodeAt(node, "argument")
      const specifier = source === null ? null : literalText(source)
      const target = specifier === null ? undefined : targets.get(`${from} ${specifier}`)
      if (target === undefined) return
      const names = used.get(target) ?? new Set()
      used.set(target, names)
      for (const name of namesTaken(node)) names.add(name)
    })
  }
  return used
}

/** `import()` and `import * as` may take any name. */
function namesTaken(node: SyntaxNode): string[] {
  if (node.type !== "ImportDeclaration" && node.type !== "ExportNamedDeclaration") return [everything]
  return nodesAt(node, "specifiers").flatMap((specifier) => {
    if (specifier.type === "ImportNamespaceSpecifier") return [everything]
    if (specifier.type === "ImportDefaultSpecifier") return ["default"]
    return nameOf(nodeAt(specifier, specifier.type === "ImportSpecifier" ? "imported" : "local")) ?? []
  })
}

function exportsOf(program: SyntaxNode): { name: string; node: SyntaxNode }[] {
  return nodesAt(program, "body")
    .filter(({ type }) => type === "ExportNamedDeclaration")
    .flatMap((node) => {
      const declaration = nodeAt(node, "declaration")
      const declared = declaration === null ? [] : [declaration, ...nodesAt(declaration, "declarations")]
      const names = declared.flatMap((each) => nameOf(nodeAt(each, "id")) ?? [])
      const renamed = nodesAt(node, "specifiers").flatMap((each) => nameOf(nodeAt(each, "exported")) ?? [])
      return [...names, ...renamed].map((name) => ({ name, node }))
    })
}
