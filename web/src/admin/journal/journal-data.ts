import { infiniteQueryOptions } from "@tanstack/react-query"
import type {
  approveManualEntryEndpoint,
  createManualEntryEndpoint,
  listManualEntriesEndpoint,
  refuseManualEntryEndpoint,
} from "@tilinta/contract/api/manual-entries-endpoints"
import { type CallInput, call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const path = "/api/v1/admin/journal"
const list = leanEndpoint<typeof listManualEntriesEndpoint>("GET", path)
const create = leanEndpoint<typeof createManualEntryEndpoint>("POST", path)
const approve = leanEndpoint<typeof approveManualEntryEndpoint>("PATCH", `${path}/:id/approve`)
const refuse = leanEndpoint<typeof refuseManualEntryEndpoint>("PATCH", `${path}/:id/refuse`)

type Part = ReplyOf<typeof listManualEntriesEndpoint>["data"]
export type NewEntry = CallInput<typeof createManualEntryEndpoint>["body"]

export const journalQuery = infiniteQueryOptions({
  queryKey: ["admin", "journal"],
  queryFn: async ({ pageParam, signal }) =>
    (await call(list, { query: pageParam === null ? {} : { after: pageParam }, signal })).data,
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: Part) => next,
})

export async function createEntry(body: NewEntry, key: string) {
  return (await call(create, { body, headers: { "Idempotency-Key": key } })).data.entry
}

export function approveEntry(id: string) {
  return call(approve, { params: { id } })
}

export function refuseEntry(id: string) {
  return call(refuse, { params: { id } })
}
