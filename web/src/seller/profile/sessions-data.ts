import { queryOptions } from "@tanstack/react-query"
import type {
  endMyOtherSessionsEndpoint,
  endMySessionEndpoint,
  listMySessionsEndpoint,
} from "@tilinta/contract/api/sessions-endpoints"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const listSessions = leanEndpoint<typeof listMySessionsEndpoint>("GET", "/api/v1/users/me/sessions")
const endOne = leanEndpoint<typeof endMySessionEndpoint>("DELETE", "/api/v1/users/me/sessions/:id")
const endOthers = leanEndpoint<typeof endMyOtherSessionsEndpoint>("DELETE", "/api/v1/users/me/sessions")

export type OpenSession = ReplyOf<typeof listMySessionsEndpoint>["data"]["sessions"][number]

export const sessionsQuery = queryOptions({
  queryKey: ["seller", "sessions"],
  queryFn: async ({ signal }) => (await call(listSessions, { signal })).data.sessions,
})

/** Ends the session with this id; with null, all other sessions. */
export function endSessions(id: string | null) {
  return id === null ? call(endOthers) : call(endOne, { params: { id } })
}
