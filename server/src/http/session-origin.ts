import type { FastifyRequest } from "fastify"
import type { SessionOrigin } from "#domain/people/sessions/open-session"

/** Facts by which the owner recognises a session. */
export function sessionOriginOf(request: FastifyRequest): SessionOrigin {
  const userAgent = (request.headers["user-agent"] ?? "").replaceAll(/\p{Cc}/gu, " ").slice(0, 200)
  return { address: request.ip, userAgent }
}
