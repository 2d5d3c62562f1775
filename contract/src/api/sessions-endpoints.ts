import * as z from "zod/mini"
import * as heads from "../heads.ts"
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

export const listMySessionsEndpoint = defineEndpoint(heads.listMySessions, {
  operationId: "listMySessions",
  audience: "seller",
  beforeEnrolment: true,
  tag,
  summary: "As sessões abertas de quem pergunta; a própria vem primeiro",
  reply: { status: 200, schema: success(z.object({ sessions: z.array(sessionView) })) },
})

export const endMySessionEndpoint = defineEndpoint(heads.endMySession, {
  operationId: "endMySession",
  audience: "seller",
  beforeEnrolment: true,
  stepUp: "always",
  tag,
  summary: "Encerra uma das próprias sessões",
  params: z.object({ id: text(200) }),
  reply: { status: 204 },
})

export const endMyOtherSessionsEndpoint = defineEndpoint(heads.endMyOtherSessions, {
  operationId: "endMyOtherSessions",
  audience: "seller",
  beforeEnrolment: true,
  stepUp: "always",
  tag,
  summary: "Encerra todas as outras sessões",
  reply: { status: 204 },
})
