import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { getStatementEndpoint, StatementRowView } from "@tilinta/contract/statements"
import { addCents, centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { call, type ReplyOf } from "#api/client.ts"
import { addDays } from "#format/days.ts"
import { transactionsKey } from "#seller/transactions/transactions-data.ts"

/** The month before or after, `YYYY-MM`. */
export function neighbourMonth(month: string, step: 1 | -1): string {
  return (step === 1 ? addDays(`${month}-28`, 4) : addDays(`${month}-01`, -1)).slice(0, 7)
}

let format: Intl.DateTimeFormat | undefined

/** "novembro de 2026" */
export function monthText(month: string): string {
  format ??= new Intl.DateTimeFormat("pt-BR", { month: "long", year: "numeric", timeZone: "UTC" })
  return format.format(new Date(`${month}-15T00:00:00Z`))
}

type Part = ReplyOf<typeof getStatementEndpoint>["data"]

const pageSize = "25"

/** A sale with its fee, which are two lines of the books, or another movement. */
export interface Movement extends StatementRowView {
  /** The fee, below zero; null for what has none. */
  fee: number | null
}

/** Newest first, as the rows are: a sale's fee stands before it. The amount is the net one, the balance that after both. */
export function movementsOf(rows: readonly StatementRowView[]): Movement[] {
  const movements: Movement[] = []
  for (const row of rows) {
    const above = movements.at(-1)
    if (row.kind === "sale" && above?.kind === "fee" && above.fee === null && above.reference === row.reference) {
      const net = reaisFromCents(addCents(centsFromReais(row.amount), centsFromReais(above.amount)))
      movements[movements.length - 1] = { ...row, amount: net, balance: above.balance, fee: above.amount }
    } else movements.push({ ...row, fee: null })
  }
  return movements
}

/** Under the transactions' key: what makes those stale moves the balance too. */
export function statementQuery(month: string) {
  return infiniteQueryOptions({
    queryKey: [...transactionsKey, "statement", month],
    queryFn: async ({ pageParam, signal }) => {
      const query = { month, order: "desc" as const, limit: pageSize, ...(pageParam !== null && { after: pageParam }) }
      return (await call(heads.getStatement, { query, signal })).data
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}

export function incomeQuery(year: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "income", year],
    queryFn: async ({ signal }) => (await call(heads.getIncomeReport, { query: { year }, signal })).data,
  })
}
