import type { FastifyRequest } from "fastify"
import type { SessionOrigin } from "#domain/people/sessions/open-session"
import { storableDevice } from "#kit/request-scope"

/** Facts by which the owner recognises a session. */
export function sessionOriginOf(request: FastifyRequest): SessionOrigin {
  return { address: request.ip, userAgent: storableDevice(request.headers["user-agent"] ?? "") }
}
