import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode, walk } from "../../tools/architecture/syntax.ts"

/** A column as its TypeScript type describes it. */
export interface TypedColumn {
  /** As the driver returns it: string, number, boolean, Date, Buffer, number[], json, or unknown, which is any of them. */
  base: string
  isNullable: boolean
  insert: "required" | "optional" | "never"
  /** The strings of a union or of a vocabulary list; empty for any string. */
  words: string[]
}

export type TableTypes = Map<string, Map<string, TypedColumn>>

type ReadFile = (path: string) => string

interface TypeIn {
  node: SyntaxNode
  path: string
}

type Kind = Omit<TypedColumn, "insert">

const schemaPath = fileURLToPath(new URL("../src/db/schema.ts", import.meta.url))
const contract = fileURLToPath(new URL("../../contract/src/", import.meta.url))

const bases: Record<string, string> = {
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBooleanKeyword: "boolean",
  TSUnknownKeyword: "unknown",
  TSTypeLiteral: "json",
  TSTemplateLiteralType: "string",
  TSInterfaceDeclaration: "json",
}

const builtIn: Record<string, string> = { Date: "Date", Buffer: "Buffer", Record: "json" }

/** The tables of `Schema` in db/schema.ts. Another `read` may change what a file says. */
export function readTableTypes(read: ReadFile = (path) => readFileSync(path, "utf8")): TableTypes {
  const reader = new TypeReader(read)
  const tables = reader.membersOf(reader.declared("Schema", schemaPath))
  return new Map(
    [...tables].map(([table, type]) => [
      table,
      new Map([...reader.membersOf(type)].map(([column, typed]) => [column, reader.column(typed)])),
    ]),
  )
}

interface Program {
  body: SyntaxNode[]
  declarations: Map<string | null, SyntaxNode>
}

/** By their text: nearly all files say the same at every reading. */
const programs = new Map<string, Program>()

function programOf(path: string, text: string): Program {
  const known = programs.get(text)
  if (known !== undefined) return known
  const body = nodesAt(parseSource(path, text), "body")
  const statements = body.map((statement) => nodeAt(statement, "declaration") ?? statement)
  const declarations = statements.flatMap((each) =>
    each.type === "VariableDeclaration" ? nodesAt(each, "declarations") : [each],
  )
  const program = { body, declarations: new Map(declarations.map((each) => [nameOf(nodeAt(each, "id")), each])) }
  programs.set(text, program)
  return program
}

class TypeReader {
  readonly #read: ReadFile

  constructor(read: ReadFile) {
    this.#read = read
  }

  /** A type or a constant, in this file or where the file imports it from. */
  declared(name: string, path: string): TypeIn {
    const node = programOf(path, this.#read(path)).declarations.get(name)
    return node === undefined ? this.#imported(name, path) : { node, path }
  }

  #imported(name: string, path: string): TypeIn {
    for (const statement of programOf(path, this.#read(path)).body) {
      const names = nodesAt(statement, "specifiers").map((each) => nameOf(nodeAt(each, "local")))
      if (statement.type !== "ImportDeclaration" || !names.includes(name)) continue
      const source = String(nodeAt(statement, "source")?.["value"])
      const from = source.startsWith(".")
        ? join(dirname(path), source)
        : join(contract, `${source.replace("@tilinta/contract/", "")}.ts`)
      return this.declared(name, from)
    }
    throw new Error(`${path} names ${name}, which is nowhere`)
  }

  membersOf({ node, path }: TypeIn): Map<string, TypeIn> {
    if (node.type === "TSIntersectionType") {
      return new Map(nodesAt(node, "types").flatMap((part) => [...this.membersOf({ node: part, path })]))
    }
    if (node.type === "TSTypeReference") {
      const name = nameOf(nodeAt(node, "typeName")) ?? ""
      if (name !== "Omit") return this.membersOf(this.declared(name, path))
      const [of, without] = argumentsOf(node)
      const members = this.membersOf({ node: present(of), path })
      for (const word of this.#kind({ node: present(without), path }).words) members.delete(word)
      return members
    }
    const body = node.type === "TSInterfaceDeclaration" ? nodesAt(present(nodeAt(node, "body")), "body") : []
    const members = body.length > 0 ? body : nodesAt(node, "members")
    return new Map(
      members.map((member) => [
        nameOf(nodeAt(member, "key")) ?? "",
        { node: present(nodeAt(present(nodeAt(member, "typeAnnotation")), "typeAnnotation")), path },
      ]),
    )
  }

  column({ node, path }: TypeIn): TypedColumn {
    const name = node.type === "TSTypeReference" ? nameOf(nodeAt(node, "typeName")) : null
    const [first, second] = argumentsOf(node)
    if (name === "Generated") return { ...this.#kind({ node: present(first), path }), insert: "optional" }
    if (name === "JSONColumnType") return { base: "json", isNullable: false, insert: "required", words: [] }
    if (name === "ColumnType") {
      return { ...this.#kind({ node: present(first), path }), insert: insertOf(present(second)) }
    }
    if (name !== null && !(name in builtIn)) {
      const declared = this.declared(name, path)
      const alias = declared.node.type === "TSTypeAliasDeclaration" ? nodeAt(declared.node, "typeAnnotation") : null
      if (alias?.type === "TSTypeReference") return this.column({ node: alias, path: declared.path })
    }
    const kind = this.#kind({ node, path })
    return { ...kind, insert: kind.isNullable ? "optional" : "required" }
  }

  #kind({ node, path }: TypeIn): Kind {
    const plain = { isNullable: false, words: [] }
    if (node.type === "TSNullKeyword") return { ...plain, base: "", isNullable: true }
    if (node.type === "TSUnionType")
      return unionOf(nodesAt(node, "types").map((each) => this.#kind({ node: each, path })))
    if (node.type === "TSIntersectionType") return this.#kind({ node: present(nodesAt(node, "types")[0]), path })
    if (node.type === "TSLiteralType") {
      return { ...plain, base: "string", words: [String(nodeAt(node, "literal")?.["value"])] }
    }
    if (node.type === "TSArrayType") {
      const { base } = this.#kind({ node: present(nodeAt(node, "elementType")), path })
      return { ...plain, base: base === "json" ? base : `${base}[]` }
    }
    if (node.type === "TSTypeAliasDeclaration")
      return this.#kind({ node: present(nodeAt(node, "typeAnnotation")), path })
    if (node.type === "TSIndexedAccessType" || node.type === "TSTypeOperator") {
      return { ...plain, base: "string", words: this.#wordsOf(node, path) }
    }
    if (node.type === "TSTypeReference") {
      const name = nameOf(nodeAt(node, "typeName")) ?? ""
      return name in builtIn ? { ...plain, base: present(builtIn[name]) } : this.#kind(this.declared(name, path))
    }
    return { ...plain, base: present(bases[node.type]) }
  }

  /** The members of `(typeof words)[number]` and of `keyof typeof labels`. */
  #wordsOf(type: SyntaxNode, path: string): string[] {
    const list: string[] = []
    walk(type, (node) => {
      if (node.type !== "TSTypeQuery") return
      const constant = this.declared(nameOf(nodeAt(node, "exprName")) ?? "", path)
      list.push(...this.#constantWords(present(nodeAt(constant.node, "init")), constant.path))
    })
    return list
  }

  #constantWords(node: SyntaxNode, path: string): string[] {
    if (node.type === "Literal") return [String(node["value"])]
    if (node.type === "Identifier") {
      const constant = this.declared(nameOf(node) ?? "", path)
      return this.#constantWords(present(nodeAt(constant.node, "init")), constant.path)
    }
    if (node.type === "ArrayExpression") {
      return nodesAt(node, "elements").flatMap((each) => this.#constantWords(nodeAt(each, "argument") ?? each, path))
    }
    if (node.type === "ObjectExpression") {
      return nodesAt(node, "properties").map((each) => {
        const key = present(nodeAt(each, "key"))
        return nameOf(key) ?? String(key["value"])
      })
    }
    return this.#constantWords(present(nodeAt(node, "expression")), path)
  }
}

function unionOf(parts: Kind[]): Kind {
  const named = [...new Set(parts.map(({ base }) => base).filter((base) => base !== ""))]
  const isAnyString = parts.some(({ base, words }) => base === "string" && words.length === 0)
  return {
    base: named.length === 1 ? present(named[0]) : "json",
    isNullable: parts.some(({ isNullable }) => isNullable),
    words: isAnyString ? [] : parts.flatMap(({ words }) => words),
  }
}

function insertOf(node: SyntaxNode): TypedColumn["insert"] {
  const parts = node.type === "TSUnionType" ? nodesAt(node, "types") : [node]
  if (parts.some(({ type }) => type === "TSUndefinedKeyword" || type === "TSNullKeyword")) return "optional"
  return node.type === "TSNeverKeyword" ? "never" : "required"
}

function argumentsOf(reference: SyntaxNode): SyntaxNode[] {
  const list = nodeAt(reference, "typeArguments")
  return list === null ? [] : nodesAt(list, "params")
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error("a table type is written in a way that is not read here")
  return value
}
