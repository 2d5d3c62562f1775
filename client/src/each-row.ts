import type { Calls } from "./api-client.ts"

/** Calls that answer page by page, after the last row of the page before. */
type PagedName = {
  [Name in keyof Calls]: NonNullable<Parameters<Calls[Name]>[0]> extends { query?: { after?: string } } ? Name : never
}[keyof Calls]

type Query<Name extends PagedName> =
  NonNullable<Parameters<Calls[Name]>[0]> extends { query?: infer Given }
    ? Omit<NonNullable<Given>, "after" | "page">
    : never

type Page<Name extends PagedName> = Awaited<ReturnType<Calls[Name]>>

/** The rows are the reply's only list. */
type Row<Name extends PagedName> = {
  [Field in keyof Page<Name>]-?: Page<Name>[Field] extends (infer Each)[] ? Each : never
}[keyof Page<Name>]

/** Every row of a list, whatever its length: `for await (const transaction of each("listTransactions"))`. */
export type EachRow = <Name extends PagedName>(name: Name, query?: Query<Name>) => AsyncGenerator<Row<Name>, void, void>

const ROWS_AT_ONCE = 100

export function rowReader(calls: Calls): EachRow {
  return async function* each(name, query) {
    const call = calls[name] as (input: object) => Promise<Record<string, unknown>>
    let after: string | undefined
    for (;;) {
      const page = await call({ query: { limit: ROWS_AT_ONCE, ...query, after } })
      const rows = Object.values(page).find(Array.isArray) as ({ _id: string } & Row<typeof name>)[] | undefined
      const last = rows?.at(-1)
      if (rows === undefined || last === undefined) return
      yield* rows
      after = last._id
    }
  }
}
