import { type OperationNodeSource, RawNode, ValueNode } from "kysely"
import { invariant } from "#kit/invariant"

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
