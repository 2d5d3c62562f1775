import { queryOptions } from "@tanstack/react-query"
import type { listMySessionsEndpoint } from "@tilinta/contract/api/sessions-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call, type ReplyOf } from "#api/client.ts"

export type OpenSession = ReplyOf<typeof listMySessionsEndpoint>["data"]["sessions"][number]

export const sessionsQuery = queryOptions({
  queryKey: ["seller", "sessions"],
  queryFn: async ({ signal }) => (await call(heads.listMySessions, { signal })).data.sessions,
})

/** Ends the session with this id; with null, all other sessions. */
export function endSessions(id: string | null) {
  return id === null ? call(heads.endMyOtherSessions) : call(heads.endMySession, { params: { id } })
}
