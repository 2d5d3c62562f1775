import type { Catalog } from "./read-catalog.ts"
import type { TableTypes, TypedColumn } from "./read-table-types.ts"

/** Triggers set these before the row is checked. */
const setByTriggers = new Set(["unmatched_payments.amount_cents", "unmatched_payments.paid_at"])

const baseOfType: Record<string, string> = {
  uuid: "string",
  text: "string",
  date: "string",
  integer: "number",
  bigint: "number",
  boolean: "boolean",
  "timestamp with time zone": "Date",
  bytea: "Buffer",
  jsonb: "json",
  "integer[]": "number[]",
  "text[]": "string[]",
  xid8: "string",
}

interface ColumnFacts {
  type: string
  default: string | null
  generated: string
  identity: string
  "not null": boolean
}

function columnDifferences(name: string, typed: TypedColumn, facts: ColumnFacts, isOfView: boolean): string[] {
  const hasOwnValue = facts.default !== null || facts.identity !== "" || setByTriggers.has(name)
  const isKnown = typed.base !== "unknown"
  const mayBeOmitted = hasOwnValue || !facts["not null"]
  const problems = {
    type: isKnown && typed.base !== baseOfType[facts.type],
    null: isKnown && !isOfView && typed.isNullable === facts["not null"] && facts.generated === "",
    "omitted without default": typed.insert === "optional" && !mayBeOmitted && !isOfView,
    "written though generated": (typed.insert === "never") !== (facts.generated !== ""),
    "required though generated": typed.insert === "required" && facts.identity === "a",
  }
  return Object.entries(problems).flatMap(([problem, isSo]) => (isSo ? [`${name}: ${problem}`] : []))
}

/** The list of a check such as `status in ('open', 'closed')`, by its column. */
function listedWords(catalog: Catalog): Map<string, string[]> {
  const lists = [...catalog].flatMap(([object, facts]): [string, string[]][] => {
    const table = /^constraint \S+ of (\S+)$/.exec(object)?.[1]
    const list = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(
      factsOf<{ definition: string }>(facts).definition,
    )
    if (table === undefined || list === null) return []
    return [[`${table}.${list[1]}`, [...(list[2] ?? "").matchAll(/'([^']*)'/g)].map(([, word = ""]) => word)]]
  })
  return new Map(lists)
}

function factsOf<Facts>(facts: string): Facts {
  return JSON.parse(facts) as Facts
}

/** One line for each column and table where the types and the database disagree. */
export function typeDifferences(types: TableTypes, catalog: Catalog): string[] {
  const lists = listedWords(catalog)
  const known = new Set([...types].flatMap(([table, columns]) => [...columns.keys()].map((name) => `${table}.${name}`)))
  const untyped = [...catalog.keys()].flatMap((object) => {
    const [kind, name = ""] = object.split(" ")
    return kind === "column" && types.has(name.split(".")[0] ?? "") && !known.has(name) ? [`${name}: no type`] : []
  })
  const written = [...catalog.keys()].flatMap((object) => {
    const table = /^grant INSERT on relation (\S+) to tilinta_app$/.exec(object)?.[1]
    return table === undefined || types.has(table) ? [] : [`${table}: written without a type`]
  })
  const typed = [...types].flatMap(([table, columns]) => {
    const isView = catalog.has(`view ${table}`)
    return [...columns].flatMap(([column, type]) => {
      const name = `${table}.${column}`
      const facts = catalog.get(`column ${name}`)
      if (facts === undefined) return [`${name}: no column`]
      const list = lists.get(name) ?? type.words
      const isOtherList = type.words.length > 0 && !sameWords(list, type.words)
      const others = isOtherList ? [`${name}: other words`] : []
      return [...columnDifferences(name, type, factsOf<ColumnFacts>(facts), isView), ...others]
    })
  })
  return [...untyped, ...written, ...typed].toSorted()
}

function sameWords(one: string[], other: string[]): boolean {
  return [...one].toSorted().join() === [...other].toSorted().join()
}
