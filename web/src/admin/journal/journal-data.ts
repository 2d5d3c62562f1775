import { infiniteQueryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { createManualEntryEndpoint, listManualEntriesEndpoint } from "@tilinta/contract/manual-entries"
import { type CallInput, call, type ReplyOf } from "#api/client.ts"

type Part = ReplyOf<typeof listManualEntriesEndpoint>["data"]
export type NewEntry = CallInput<typeof createManualEntryEndpoint>["body"]

export const journalQuery = infiniteQueryOptions({
  queryKey: ["admin", "journal"],
  queryFn: async ({ pageParam, signal }) =>
    (await call(heads.listManualEntries, { query: pageParam === null ? {} : { after: pageParam }, signal })).data,
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: Part) => next,
})

export async function createEntry(body: NewEntry, key: string) {
  return (await call(heads.createManualEntry, { body, headers: { "Idempotency-Key": key } })).data.entry
}

export function approveEntry(id: string) {
  return call(heads.approveManualEntry, { params: { id } })
}

export function refuseEntry(id: string) {
  return call(heads.refuseManualEntry, { params: { id } })
}
