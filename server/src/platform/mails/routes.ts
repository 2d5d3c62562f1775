import { listMyNoticesEndpoint, markMyNoticesReadEndpoint, type NoticeView } from "@tilinta/contract/notices"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { sellerOf } from "#people/sessions/caller"
import { type ListedNotice, listNotices, markNoticesRead } from "./notices.ts"

export function noticeRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listMyNoticesEndpoint, async ({ query, request }) => {
    const { notices, unreadByTopic, next } = await listNotices(deps.db, sellerOf(request).id, query)
    const unread = unreadByTopic.activity + unreadByTopic.security
    return { notices: notices.map(toNoticeView), unread, unreadByTopic, next }
  })

  serveEndpoint(app, markMyNoticesReadEndpoint, async ({ body, request }) => {
    await markNoticesRead(deps, { userId: sellerOf(request).id, ids: body.ids ?? null })
  })
}

function toNoticeView({ id, told_at, read_at, facts = [], note = "", ...notice }: ListedNotice): NoticeView {
  return {
    _id: id,
    ...notice,
    facts,
    note,
    createdAt: told_at.toISOString(),
    readAt: read_at?.toISOString() ?? null,
  }
}
