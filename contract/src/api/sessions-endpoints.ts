import * as z from "zod/mini"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, success, text } from "./fields.ts"

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

export const listMySessionsEndpoint = defineEndpoint({
  operationId: "listMySessions",
  method: "GET",
  path: "/api/v1/users/me/sessions",
  audience: "seller",
  beforeEnrolment: true,
  tag,
  summary: "As sessões abertas de quem pergunta; a própria vem primeiro",
  reply: { status: 200, schema: success(z.object({ sessions: z.array(sessionView) })) },
})

export const endMySessionEndpoint = defineEndpoint({
  operationId: "endMySession",
  method: "DELETE",
  path: "/api/v1/users/me/sessions/:id",
  audience: "seller",
  beforeEnrolment: true,
  stepUp: "always",
  tag,
  summary: "Encerra uma das próprias sessões",
  params: z.object({ id: text(200) }),
  reply: { status: 204 },
})

export const endMyOtherSessionsEndpoint = defineEndpoint({
  operationId: "endMyOtherSessions",
  method: "DELETE",
  path: "/api/v1/users/me/sessions",
  audience: "seller",
  beforeEnrolment: true,
  stepUp: "always",
  tag,
  summary: "Encerra todas as outras sessões",
  reply: { status: 204 },
})
