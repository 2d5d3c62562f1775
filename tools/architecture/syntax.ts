import { parseAst } from "vitest/node"

export interface SyntaxNode {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

type Visit = (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void

const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

/** Each rule reads every file: one parse of a file serves them all. */
const parsed = new Map<string, { text: string; program: SyntaxNode }>()

/** TypeScript 7 exposes no parser; Vite's handles types and JSX, and comes with the test runner. */
export function parseSource(path: string, text: string): SyntaxNode {
  const known = parsed.get(path)
  if (known?.text === text) return known.program
  const program = parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }, path) as unknown as SyntaxNode
  parsed.set(path, { text, program })
  return program
}

export function walk(root: SyntaxNode, visit: Visit, ancestors: readonly SyntaxNode[] = []): void {
  visit(root, ancestors)
  const below = [...ancestors, root]
  for (const child of childrenOf(root)) walk(child, visit, below)
}

export function contains(root: SyntaxNode, isWanted: (node: SyntaxNode) => boolean): boolean {
  return isWanted(root) || childrenOf(root).some((child) => contains(child, isWanted))
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) => {
    if (Array.isArray(value)) return value.filter(isNode)
    return isNode(value) ? [value] : []
  })
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
}

export function isFunction(node: SyntaxNode): boolean {
  return functionTypes.has(node.type)
}

export function nodeAt(node: SyntaxNode, field: string): SyntaxNode | null {
  const value = node[field]
  return isNode(value) ? value : null
}

export function nodesAt(node: SyntaxNode, field: string): SyntaxNode[] {
  const value = node[field]
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function nameOf(node: SyntaxNode | null): string | null {
  return node?.type === "Identifier" && typeof node["name"] === "string" ? node["name"] : null
}

/** `f` for `f(…)`, `m` for `a.m(…)`. */
export function calledName(call: SyntaxNode): string | null {
  const callee = nodeAt(call, "callee")
  return callee?.type === "MemberExpression" ? nameOf(nodeAt(callee, "property")) : nameOf(callee)
}

/** The text of a string or template literal, with a gap for each inserted value. */
export function literalText(node: SyntaxNode): string | null {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null
  if (node.type !== "TemplateLiteral") return null
  return nodesAt(node, "quasis")
    .map((quasi) => (quasi["value"] as { raw: string }).raw)
    .join(" ? ")
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length
}
