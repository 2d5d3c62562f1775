import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, success, text } from "./fields.ts"
import * as heads from "./heads.ts"

const tag = "Sessões"

export const sessionView = z.object({
  _id: id,
  createdAt: isoDateTime,
  /** Accurate to about five minutes. */
  lastUsedAt: isoDateTime,
  /** The address that the login came from. */
  address: z.string(),
  /** The address of the latest request, accurate to about five minutes. */
  lastAddress: z.string(),
  userAgent: z.string(),
  current: z.boolean(),
})

export const listMySessionsEndpoint = defineEndpoint("listMySessions", heads.listMySessions, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag,
  summary: "As sessões abertas de quem pergunta; a própria vem primeiro",
  reply: { status: 200, schema: success(z.object({ sessions: z.array(sessionView) })) },
})

export const endMySessionEndpoint = defineEndpoint("endMySession", heads.endMySession, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  stepUp: "always",
  tag,
  summary: "Encerra uma das próprias sessões",
  params: z.object({ id: text(200) }),
  reply: { status: 204 },
})

export const endMyOtherSessionsEndpoint = defineEndpoint("endMyOtherSessions", heads.endMyOtherSessions, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  stepUp: "always",
  tag,
  summary: "Encerra todas as outras sessões",
  reply: { status: 204 },
})

export const sessionsExamples = [
  defineExample(listMySessionsEndpoint, {
    data: {
      sessions: [
        {
          _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
          createdAt: "2026-11-21T12:00:00.000Z",
          lastUsedAt: "2026-11-21T14:30:00.000Z",
          address: "203.0.113.7",
          lastAddress: "198.51.100.23",
          userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
          current: true,
        },
      ],
    },
    failures: [],
  }),
  defineExample(endMySessionEndpoint, {
    params: { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    failures: ["session_not_found"],
  }),
  defineExample(endMyOtherSessionsEndpoint, { failures: [] }),
]
