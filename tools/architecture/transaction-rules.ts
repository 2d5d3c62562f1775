import { isReads, isTable } from "./floor-rules.ts"
import { isTest, type SourceTree, type Violation } from "./source-tree.ts"
import { isSql, isWritingSql } from "./sql.ts"
import {
  calledName,
  contains,
  isFunction,
  isNode,
  lineAt,
  nameOf,
  nodeAt,
  nodesAt,
  parseSource,
  type SyntaxNode,
  walk,
} from "./syntax.ts"

type Report = (rule: string, node: SyntaxNode, message: string) => void

const foldersWithSql = /^server\/src\/(ledger|db|events|mail)\//
const foldersThatWrite = /^server\/src\/(ledger|events|mail)\//
const castTypes = new Set(["TSAsExpression", "TSTypeAssertion"])
const handleTypes = /^(Tx|Transaction|Kysely|\w*Db|OneStatement)$/
const networkNames = new Set(["psp", "mailer", "fetch", "askHttp", "sendHttp"])

export function checkTransactionRules(tree: SourceTree): Violation[] {
  return [...tree]
    .filter(([path]) => path.startsWith("server/src/") && !isTest(path))
    .flatMap(([path, text]) => checkFile(path, text))
}

function checkFile(file: string, text: string): Violation[] {
  const violations: Violation[] = []
  const report: Report = (rule, node, message) => {
    violations.push({ rule, file, line: lineAt(text, node.start), message })
  }
  const program = parseSource(file, text)
  const hasSql = isTable(file) || isReads(file)
  if (!hasSql && !foldersWithSql.test(file)) checkNoSql(program, report)
  if (hasSql || foldersThatWrite.test(file)) checkWritesTakeTx(program, report)
  if (isReads(file)) checkChangesNothing(program, report)
  if (!file.startsWith("server/src/db/")) {
    checkTransactionBodies(program, report)
    checkNoCastHandles(program, report)
  }
  checkNoNetwork(program, report)
  return violations
}

function checkNoSql(program: SyntaxNode, report: Report): void {
  walk(program, (node) => {
    if (isSql(node)) report("sql-in-reads-and-tables", node, "SQL stands in the noun's reads.ts and table.ts")
  })
}

function checkChangesNothing(program: SyntaxNode, report: Report): void {
  walk(program, (node) => {
    if (isWritingSql(node)) report("reads-change-nothing", node, "what writes or locks stands in the noun's table.ts")
  })
}

/** A function that names a constant holding writing SQL counts as a writer. */
function checkWritesTakeTx(program: SyntaxNode, report: Report): void {
  const writingConstants = namesOfWritingConstants(program)
  const reported = new Set<SyntaxNode>()
  walk(program, (node, ancestors) => {
    const isWrite = isWritingSql(node) || writingConstants.has(nameOf(node) ?? "")
    const functions = ancestors.filter(isFunction)
    const [outermost] = functions
    if (!isWrite || outermost === undefined || reported.has(outermost) || functions.some(takesTxFirst)) return
    if (isOneStatement(node, ancestors)) return
    reported.add(outermost)
    report(
      "writes-take-tx",
      outermost,
      "a function that writes or locks takes `tx: Tx` first, or makes a `oneStatement(sql`…`, …)`",
    )
  })
}

/** The text of `oneStatement(sql`…`, …)`: it is handed on unexecuted, and runs as a transaction of its own. */
function isOneStatement(text: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const [call, template] = ancestors.slice(-2)
  if (call?.type !== "CallExpression" || template?.type !== "TaggedTemplateExpression") return false
  const [first] = nodesAt(call, "arguments")
  return nameOf(nodeAt(call, "callee")) === "oneStatement" && first === template && nodeAt(template, "quasi") === text
}

function namesOfWritingConstants(program: SyntaxNode): Set<string> {
  const statements = nodesAt(program, "body").map((statement) => nodeAt(statement, "declaration") ?? statement)
  const constants = statements.flatMap((statement) => nodesAt(statement, "declarations"))
  const writing = constants.filter((constant) => {
    const value = nodeAt(constant, "init")
    return value !== null && !isFunction(value) && contains(value, isWritingSql)
  })
  return new Set(writing.flatMap((constant) => nameOf(nodeAt(constant, "id")) ?? []))
}

function takesTxFirst(node: SyntaxNode): boolean {
  const [first] = nodesAt(node, "params")
  return first !== undefined && nameOf(first) === "tx" && first["optional"] !== true && isTx(first)
}

function isTx(parameter: SyntaxNode): boolean {
  const annotation = nodeAt(parameter, "typeAnnotation")
  const type = annotation === null ? null : nodeAt(annotation, "typeAnnotation")
  return type?.type === "TSTypeReference" && nameOf(nodeAt(type, "typeName")) === "Tx"
}

/** A transaction's body must be one call to a named function, so that `db` and the network are out of reach inside. */
function checkTransactionBodies(program: SyntaxNode, report: Report): void {
  walk(program, (node) => {
    const body = transactionBody(node)
    if (body === null || isOneNamedCall(body)) return
    report("no-network-in-transaction", body, "a transaction is one call to a named function: `(tx) => name(tx, …)`")
  })
}

function transactionBody(node: SyntaxNode): SyntaxNode | null {
  if (node.type !== "CallExpression") return null
  const name = calledName(node)
  const isTransaction = name === "inTransaction" || (name === "execute" && startsTransaction(nodeAt(node, "callee")))
  return isTransaction ? (nodesAt(node, "arguments").at(-1) ?? null) : null
}

function startsTransaction(callee: SyntaxNode | null): boolean {
  const object = callee === null ? null : nodeAt(callee, "object")
  if (object?.type !== "CallExpression") return false
  return calledName(object) === "transaction" || startsTransaction(nodeAt(object, "callee"))
}

function isOneNamedCall(body: SyntaxNode): boolean {
  if (body.type === "Identifier") return true
  if (body.type !== "ArrowFunctionExpression") return false
  const call = nodeAt(body, "body")
  const [parameter] = nodesAt(body, "params")
  if (call?.type !== "CallExpression" || parameter === undefined) return false
  const [first] = nodesAt(call, "arguments")
  return nameOf(nodeAt(call, "callee")) !== null && first !== undefined && nameOf(first) === nameOf(parameter)
}

/** Only server/src/db opens pools and transactions, so only it says what a handle may do. */
function checkNoCastHandles(program: SyntaxNode, report: Report): void {
  walk(program, (node) => {
    if (!castTypes.has(node.type)) return
    const type = nodeAt(node, "typeAnnotation")
    if (type === null || !contains(type, isHandleType)) return
    report("no-cast-database-handles", node, "a transaction and a pool are handed on, never claimed by a cast")
  })
}

function isHandleType(node: SyntaxNode): boolean {
  return node.type === "TSTypeReference" && handleTypes.test(nameOf(nodeAt(node, "typeName")) ?? "")
}

function checkNoNetwork(program: SyntaxNode, report: Report): void {
  walk(program, (node) => {
    if (!isFunction(node) || !nodesAt(node, "params").some(isTx)) return
    walk(node, (inside, ancestors) => {
      const name = nameOf(inside)
      if (name === null || !networkNames.has(name) || isPropertyKey(inside, ancestors.at(-1))) return
      report("no-network-in-transaction", inside, `'${name}' is within reach of a transaction`)
    })
  })
}

/** `{ psp: name }` writes a column; `{ psp }` passes the network on. */
function isPropertyKey(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  const isKey = parent?.type === "Property" && parent["key"] === node && parent["shorthand"] !== true
  return isKey || parent?.type === "TSPropertySignature" || !isNode(parent)
}
