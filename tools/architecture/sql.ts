import { calledName, isNode, literalText, nameOf, nodeAt, type SyntaxNode } from "./syntax.ts"

const readingCalls = new Set(["selectFrom", "selectNoFrom"])
const writingCalls = new Set(["insertInto", "updateTable", "deleteFrom", "mergeInto", "replaceInto"])
const lockingCalls = new Set(["forUpdate", "forNoKeyUpdate", "forShare", "forKeyShare"])

const anySql = /^\s*(select|with|insert\s+into|update|delete\s+from|merge\s+into|truncate|copy|call|listen|notify)\s/i
const writingSql =
  /\b(insert\s+into\s|update\s+\S+\s+((as\s+)?\w+\s+)?set\s|delete\s+from\s|merge\s+into\s|truncate\s|for\s+(no\s+key\s+)?update\b)/i

/** A query builder, an sql`…` or prepared("name")`…` template, or text handed to a driver. */
export function isSql(node: SyntaxNode): boolean {
  if (isSqlTemplate(node)) return true
  if (node.type !== "CallExpression") return false
  if (isQueryBuilder(node, readingCalls) || isQueryBuilder(node, writingCalls)) return true
  return calledName(node) === "query" && anySql.test(firstText(node))
}

/** Locks and changes are worth nothing outside their transaction. */
export function isWritingSql(node: SyntaxNode): boolean {
  if (isQueryBuilder(node, writingCalls) || isQueryBuilder(node, lockingCalls)) return true
  const text = literalText(node)
  return text !== null && writingSql.test(text)
}

/** Stands for a table whose name is put together while the program runs. */
export const unknownTable = "?"

const writtenTable =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|update(?=\s+\S+\s+(?:as\s+)?(?:\w+\s+)?set\s))\s+(?:only\s+)?(\S+)/gi

/** The tables that this very node changes: a query builder's call, or the text of a statement. */
export function tablesWrittenBy(node: SyntaxNode): string[] {
  if (isQueryBuilder(node, writingCalls)) return [firstText(node).split(/\s/)[0] || unknownTable]
  const text = literalText(node)
  if (text === null || !writingSql.test(text)) return []
  return [...text.matchAll(writtenTable)].map(([, table = unknownTable]) =>
    (table.split(/[("]/, 1)[0] ?? "").toLowerCase(),
  )
}

function isQueryBuilder(node: SyntaxNode, names: ReadonlySet<string>): boolean {
  if (node.type !== "CallExpression" || nodeAt(node, "callee")?.type !== "MemberExpression") return false
  return names.has(calledName(node) ?? "")
}

function isSqlTemplate(node: SyntaxNode): boolean {
  if (node.type !== "TaggedTemplateExpression") return false
  const tag = nodeAt(node, "tag")
  if (tag?.type === "CallExpression") return calledName(tag) === "prepared"
  return nameOf(tag?.type === "MemberExpression" ? nodeAt(tag, "object") : tag) === "sql"
}

function firstText(call: SyntaxNode): string {
  const [first] = call["arguments"] as unknown[]
  return isNode(first) ? (literalText(first) ?? "") : ""
}
