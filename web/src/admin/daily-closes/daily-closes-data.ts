import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

export const closesPath = "/api/v1/admin/daily-closes"

export const closesKey = ["admin", "daily-closes"] as const
export const pageSize = 31

const idleMs = 30_000
/** Polling interval while a day is being compared. */
const busyMs = 1_500

export function closesQuery(page: number) {
  return queryOptions({
    queryKey: [...closesKey, "list", page],
    queryFn: ({ signal }) =>
      call(heads.listDailyCloses, { query: { page: String(page), limit: String(pageSize) }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.closes.some(({ status }) => status === "checking") ? busyMs : idleMs,
  })
}

export function closeQuery(id: string) {
  return queryOptions({
    queryKey: [...closesKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getDailyClose, { params: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.close.status === "checking" ? busyMs : idleMs),
  })
}

export async function typeBalance(id: string, balance: number) {
  return (await call(heads.typeBankBalance, { params: { id }, body: { balance } })).data
}

export function redoClose(id: string) {
  return call(heads.redoDailyClose, { params: { id } })
}
