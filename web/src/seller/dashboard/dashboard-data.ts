import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { shownRows } from "#parts/transactions/recent-transactions.tsx"
import { transactionsKey } from "../transactions/transactions-data.ts"

export const recentTransactionsQuery = queryOptions({
  queryKey: [...transactionsKey, "recent"],
  queryFn: async ({ signal }) =>
    (await call(heads.listTransactions, { query: { page: "1", limit: String(shownRows) }, signal })).data,
})

export const balanceKey = ["seller", "balance"] as const
export const balanceQuery = queryOptions({
  queryKey: balanceKey,
  queryFn: async ({ signal }) => (await call(heads.getMyBalance, { signal })).data,
})

const hourFormat = new Intl.DateTimeFormat("pt-BR", {
  hour: "numeric",
  hourCycle: "h23",
  timeZone: "America/Sao_Paulo",
})

/** 'Boa tarde, Ana', by the clock of São Paulo. */
export function greetingFor(name: string, now: Date): string {
  const hour = Number.parseInt(hourFormat.format(now), 10)
  const greeting = hour < 5 || hour >= 18 ? "Boa noite" : hour < 12 ? "Bom dia" : "Boa tarde"
  const firstName = name.trim().split(/\s+/)[0]
  return firstName === undefined || firstName === "" ? greeting : `${greeting}, ${firstName}`
}

interface Row {
  _id: string
  status: string
}

/** Payments that became paid between two polls. The first poll announces nothing. */
export function newlyPaid<R extends Row>(before: readonly R[] | null, now: readonly R[]): R[] {
  if (before === null) return []
  const paidBefore = new Set(before.filter((row) => row.status === "pago").map((row) => row._id))
  const oldestKnown = before.at(-1)?._id ?? ""
  // Ids grow with time: an older row that moved up into view was not paid just now.
  return now.filter((row) => row.status === "pago" && !paidBefore.has(row._id) && row._id >= oldestKnown)
}
