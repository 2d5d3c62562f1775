import { queryOptions } from "@tanstack/react-query"
import type {
  getDailyCloseEndpoint,
  listDailyClosesEndpoint,
  redoDailyCloseEndpoint,
  typeBankBalanceEndpoint,
} from "@tilinta/contract/api/daily-closes-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

export const closesPath = "/api/v1/admin/daily-closes"
const list = leanEndpoint<typeof listDailyClosesEndpoint>("GET", closesPath)
const get = leanEndpoint<typeof getDailyCloseEndpoint>("GET", `${closesPath}/:id`)
const redo = leanEndpoint<typeof redoDailyCloseEndpoint>("PATCH", `${closesPath}/:id/redo`)

const type = leanEndpoint<typeof typeBankBalanceEndpoint>("PATCH", `${closesPath}/:id/balance`)

export const closesKey = ["admin", "daily-closes"] as const
export const pageSize = 31

const idleMs = 30_000
/** Polling interval while a day is being compared. */
const busyMs = 1_500

export function closesQuery(page: number) {
  return queryOptions({
    queryKey: [...closesKey, "list", page],
    queryFn: ({ signal }) => call(list, { query: { page: String(page), limit: String(pageSize) }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.closes.some(({ status }) => status === "checking") ? busyMs : idleMs,
  })
}

export function closeQuery(id: string) {
  return queryOptions({
    queryKey: [...closesKey, "one", id],
    queryFn: async ({ signal }) => (await call(get, { params: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.close.status === "checking" ? busyMs : idleMs),
  })
}

export async function typeBalance(id: string, balance: number) {
  return (await call(type, { params: { id }, body: { balance } })).data
}

export function redoClose(id: string) {
  return call(redo, { params: { id } })
}
