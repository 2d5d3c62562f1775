import { isTest, type SourceTree, type Violation } from "./source-tree.ts"
import { calledName, lineAt, nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode, walk } from "./syntax.ts"

const arithmetic = new Set(["+", "-", "*", "/", "%", "**", "+=", "-=", "*=", "/=", "%=", "**="])

/** Conversion and arithmetic of amounts are allowed in one file only, which is tested as a whole. */
export function checkMoneyRules(tree: SourceTree): Violation[] {
  return [...tree]
    .filter(
      ([path]) =>
        /^(server|contract)\/src\//.test(path) && path !== "contract/src/vocabulary/money.ts" && !isTest(path),
    )
    .flatMap(([path, text]) => checkFile(path, text))
}

function checkFile(file: string, text: string): Violation[] {
  const violations: Violation[] = []
  walk(parseSource(file, text), (node) => {
    const message = problemOf(node)
    if (message !== null) violations.push({ rule: "cents-arithmetic", file, line: lineAt(text, node.start), message })
  })
  return violations
}

function problemOf(node: SyntaxNode): string | null {
  if (node.type === "CallExpression" && calledName(node) === "toFixed" && isNumber(nodesAt(node, "arguments")[0], 2)) {
    return "toFixed(2) writes reais: use vocabulary/money.ts"
  }
  if (node.type === "UpdateExpression") return namesCents(nodeAt(node, "argument")) ? reckoned : null
  if (!arithmetic.has(String(node["operator"]))) return null

  const left = nodeAt(node, "left")
  const right = nodeAt(node, "right")
  if (["*", "/"].includes(String(node["operator"])) && (isNumber(left, 100) || isNumber(right, 100))) {
    return "times or by 100 turns centavos into reais or back: use vocabulary/money.ts"
  }
  return [left, right].some(namesCents) ? reckoned : null
}

const reckoned = "amounts are reckoned with in vocabulary/money.ts only"

function namesCents(node: SyntaxNode | null): boolean {
  const name = node?.type === "MemberExpression" ? nameOf(nodeAt(node, "property")) : nameOf(node)
  return name !== null && /(^c|C)ents$/.test(name)
}

function isNumber(node: SyntaxNode | null | undefined, value: number): boolean {
  return node?.type === "Literal" && node["value"] === value
}
