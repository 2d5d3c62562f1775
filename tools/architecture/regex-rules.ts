import { analyse } from "scslre"
import { isTest, type SourceTree, type Violation } from "./source-tree.ts"
import { lineAt, nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode, walk } from "./syntax.ts"

/**
 * Refuses regular expressions that take more than linear time on a text that repeats one sign: whoever sends it stops the
 * server. Longer patterns that repeat (`(ab)*(ab)*`) are beyond the library.
 */
export function checkRegexRules(sources: SourceTree): Violation[] {
  return [...sources]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) =>
      expressionsOf(file, text)
        .filter(({ source, flags }) => isSuperLinear(source, flags))
        .map(({ source, start }) => ({
          rule: "linear-expressions",
          file,
          line: lineAt(text, start),
          message: `/${source}/ takes more than linear time: begin a run with (?<!…), or end it where the next begins`,
        })),
    )
}

/** All kinds of repetition that the library knows: two that share text, one in another, one tried from each place. */
function isSuperLinear(source: string, flags: string): boolean {
  return analyse({ source, flags }, { maxReports: 1 }).reports.length > 0
}

interface Expression {
  source: string
  flags: string
  start: number
}

function expressionsOf(file: string, text: string): Expression[] {
  const found: Expression[] = []
  walk(parseSource(file, text), (node) => {
    const literal = node["regex"] as { pattern: string; flags: string } | undefined
    if (literal) found.push({ source: literal.pattern, flags: literal.flags, start: node.start })
    const isMade = /^(New|Call)Expression$/.test(node.type) && nameOf(nodeAt(node, "callee")) === "RegExp"
    const [source, flags] = isMade ? nodesAt(node, "arguments").map(writtenText) : []
    if (typeof source === "string") found.push({ source, flags: flags ?? "", start: node.start })
  })
  return found
}

/** Inserted values count as a word; null for what only the running program knows. */
function writtenText(node: SyntaxNode): string | null {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null
  if (node.type !== "TemplateLiteral") return null
  return nodesAt(node, "quasis")
    .map((quasi) => (quasi["value"] as { cooked: string }).cooked)
    .join("x")
}
