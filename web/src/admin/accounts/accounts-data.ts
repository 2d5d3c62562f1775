import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import type { getAccountStatementEndpoint } from "@tilinta/contract/accounts"
import * as heads from "@tilinta/contract/heads"
import { type AccountKind, debitAccountKinds } from "@tilinta/contract/vocabulary/books"
import { call, type ReplyOf } from "#api/client.ts"
import { formatReais } from "#format/money-text.ts"

type Part = ReplyOf<typeof getAccountStatementEndpoint>["data"]

export function accountsQuery(asOf: string | undefined) {
  return queryOptions({
    queryKey: ["admin", "accounts", asOf ?? null],
    queryFn: async ({ signal }) =>
      (await call(heads.listAccounts, { query: asOf === undefined ? {} : { asOf }, signal })).data,
  })
}

/** The postings of one day, in the order of booking. */
export function accountDayQuery(id: string, day: string) {
  return infiniteQueryOptions({
    queryKey: ["admin", "accounts", "statement", id, day],
    queryFn: async ({ pageParam, signal }) => {
      const query = { day, limit: "25", ...(pageParam !== null && { afterPosting: pageParam }) }
      return (await call(heads.getAccountStatement, { params: { id }, query, signal })).data
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}

export function accountQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["admin", "accounts", "statement", id],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(heads.getAccountStatement, {
          params: { id },
          query: pageParam === null ? {} : { after: pageParam },
          signal,
        })
      ).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Part) => next,
  })
}

export function growsByDebits(kind: AccountKind): boolean {
  return debitAccountKinds.includes(kind)
}

/** An amount of credits less debits as it moves its account: money in the bank is positive, though debits put it there. */
export function naturalAmount(kind: AccountKind, amount: number): number {
  return growsByDebits(kind) && amount !== 0 ? -amount : amount
}

/** With its side, as accountants write it: "R$ 42,00 D". */
export function amountText(kind: AccountKind, amount: number, showsSides: boolean): string {
  if (!showsSides) return formatReais(naturalAmount(kind, amount))
  const side = amount === 0 ? "" : amount < 0 ? " D" : " C"
  return formatReais(Math.abs(amount)) + side
}
