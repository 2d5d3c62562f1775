import { CompiledQuery, type OperationNodeSource, type QueryResult, type RawBuilder, RawNode, ValueNode } from "kysely"
import type { PoolClient } from "pg"
import { invariant } from "#kit/errors"

type Part = SqlPart | string | number | boolean | Date | Buffer | null
type Executor = Parameters<RawBuilder<unknown>["execute"]>[0]

/** Private fields, so that nothing else has this type. */
export class PreparedStatement<Row> {
  readonly #text: string
  readonly #values: unknown[]

  constructor(text: string, values: unknown[]) {
    this.#text = text
    this.#values = values
  }

  execute(db: Executor): Promise<QueryResult<Row>> {
    return db.getExecutor().executeQuery<Row>(CompiledQuery.raw(this.#text, this.#values))
  }
}

interface Compiled {
  text: string
  /** The texts of the parts that are no values. */
  fixed: readonly (readonly string[] | null)[]
}

const compiledTemplates = new WeakMap<TemplateStringsArray, Compiled>()

/**
 * A statement that each connection parses and plans once: on hot paths that costs more than its rows. Its text is put
 * together once too, so only its values vary. The columns that a name answers never change.
 */
export function prepared<Row>(name: string) {
  return (template: TemplateStringsArray, ...parts: readonly Part[]): PreparedStatement<Row> => {
    let compiled = compiledTemplates.get(template)
    if (compiled === undefined) compiledTemplates.set(template, (compiled = compile(name, template, parts)))
    return new PreparedStatement(compiled.text, valuesOf(name, compiled, parts))
  }
}

/** For a text that its name alone decides, where `prepared` can't put it together: by Kysely's `sql`, at its beginning. */
export function markOf(name: string): string {
  return `/* prepared ${name} */`
}

function compile(name: string, template: TemplateStringsArray, parts: readonly Part[]): Compiled {
  let text = markOf(name)
  let count = 0
  const add = (texts: readonly string[]) => {
    text += texts.reduce((before, after) => `${before}$${++count}${after}`)
  }
  template.forEach((literal, at) => {
    text += literal
    if (at < parts.length) add(textsOf(parts[at]) ?? ["", ""])
  })
  return { text, fixed: parts.map(textsOf) }
}

function textsOf(part: Part | undefined): readonly string[] | null {
  return part instanceof SqlPart ? part.texts : null
}

function valuesOf(name: string, { fixed }: Compiled, parts: readonly Part[]): unknown[] {
  const values: unknown[] = []
  parts.forEach((part, at) => {
    invariant(isSameText(fixed[at], textsOf(part)), `the text of ${name} varies`)
    if (part instanceof SqlPart) values.push(...part.values)
    else values.push(part)
  })
  return values
}

function isSameText(one: readonly string[] | null | undefined, other: readonly string[] | null): boolean {
  if (one === other) return true
  return one?.length === other?.length && one?.every((text, at) => text === other?.[at]) === true
}

type Query = (query: unknown, ...others: unknown[]) => unknown

const mark = /^\/\* prepared ([a-z-]+) \*\//

/** Kysely hands the driver a text alone, so the name of a prepared statement stands at its beginning. */
export function nameMarkedStatements(client: PoolClient): void {
  const query = client.query.bind(client) as Query
  const naming: Query = (text, values, ...others) => {
    const name = typeof text === "string" ? mark.exec(text)?.[1] : undefined
    return name === undefined ? query(text, values, ...others) : query({ name, text, values }, ...others)
  }
  client.query = naming as PoolClient["query"]
}

/** Part of a statement, with the values of its parameters between its texts. `prepared` and Kysely's `sql` both take it. */
export class SqlPart implements OperationNodeSource {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[] = []) {
    this.texts = texts
    this.values = values
  }

  toOperationNode(): RawNode {
    return RawNode.create(
      this.texts,
      this.values.map((value) => ValueNode.create(value)),
    )
  }
}

/** Names of columns that several statements share. */
export function columnList(names: string): SqlPart {
  return new SqlPart([names])
}

/**
 * True where the key is the other row's. In a plan that is kept, such a condition can only be a lookup by index, while
 * `key = other.key` may become a join that reads the whole table (`lookupSettings`).
 */
export function lookup(key: string, otherKey: string): SqlPart {
  return new SqlPart([`${key} = any (array[${otherKey}])`])
}

/** Our own words as `('a', 'b')`: the condition of a partial index is recognised in literals alone. */
export function wordList(words: readonly string[]): SqlPart {
  return new SqlPart([`(${words.map(quoted).join(", ")})`])
}

/** One of our words for another, as `case column when 'a' then 'b' … end`. */
export function wordCase(column: string, words: Readonly<Record<string, string>>): SqlPart {
  const cases = Object.entries(words).map(([from, to]) => `when ${quoted(from)} then ${quoted(to)}`)
  return new SqlPart([`case ${column} ${cases.join(" ")} end`])
}

function quoted(word: string): string {
  invariant(/^[a-z_-]+$/.test(word), `${word} is no word of ours`)
  return `'${word}'`
}
