import { posix } from "node:path"
import type { SourceTree, Violation } from "./source-tree.ts"
import { lineAt, literalText, nodeAt, parseSource, walk } from "./syntax.ts"

export interface Import {
  from: string
  specifier: string
  line: number
  target: Target
}

/** The target of an import: a file of the tree, another file of it (a style sheet, a picture), a package, or none. */
type Target =
  | { kind: "file"; path: string }
  | { kind: "asset"; path: string }
  | { kind: "package"; name: string }
  | { kind: "unresolved" }

/** Sources that no commit holds: `tools/check.ts` writes them first. */
const madeByTools = new Set(["client/src/api-types.ts"])

const importingTypes = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
  "TSExternalModuleReference",
])

/** Type-only imports count as well: knowing a type of another part is depending on that part. */
export function listImports(tree: SourceTree): Import[] {
  return [...tree].flatMap(([from, text]) => importsOf(tree, from, text))
}

export function findUnresolved(imports: Import[]): Violation[] {
  return imports
    .filter(({ target }) => target.kind === "unresolved")
    .map(({ from, line, specifier }) => ({
      rule: "imports-resolve",
      file: from,
      line,
      message: `'${specifier}' leads to no file of the repository`,
    }))
}

function importsOf(tree: SourceTree, from: string, text: string): Import[] {
  const found: Import[] = []
  walk(parseSource(from, text), (node) => {
    if (!importingTypes.has(node.type)) return
    const source = nodeAt(node, "source") ?? nodeAt(node, "expression")
    const specifier = source === null ? null : literalText(source)
    if (specifier === null) return
    found.push({ from, specifier, line: lineAt(text, node.start), target: resolve(tree, from, specifier) })
  })
  return found
}

function resolve(tree: SourceTree, from: string, specifier: string): Target {
  const path = pathOf(from, specifier)
  if (path === null) return { kind: "package", name: packageName(specifier) }

  const [bare = path] = path.split("?")
  if (madeByTools.has(bare)) return { kind: "asset", path: bare }
  const file = [bare, `${bare}.ts`, `${bare}.tsx`].find((candidate) => tree.has(candidate))
  if (file !== undefined) return { kind: "file", path: file }
  return /\.(css|svg|png|html|json|woff2|js)$/.test(bare) ? { kind: "asset", path: bare } : { kind: "unresolved" }
}

/** Resolves the packages' "imports" and "exports": `#x` is the own src/x, `@tilinta/p/x` is p/src/x. */
function pathOf(from: string, specifier: string): string | null {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier)
  const [workspace = ""] = from.split("/")
  if (specifier.startsWith("#")) return `${workspace}/src/${specifier.slice(1)}`
  const own = /^@tilinta\/([^/]+)\/(.+)$/.exec(specifier)
  return own === null ? null : `${own[1]}/src/${own[2]}`
}

function packageName(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")
}
