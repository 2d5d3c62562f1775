import { randomBytes } from "node:crypto"
import type { FastifyInstance } from "fastify"
import { inRequest } from "#kit/request-scope"

export const requestIdHeader = "x-request-id"

/** Always our own: an id that a caller sends is anybody's text, and two requests might share it. */
export function newRequestId(): string {
  return randomBytes(12).toString("base64url")
}

/** Every answer carries its request's id, by which log and audit are searched. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(requestIdHeader, request.id)
    inRequest(request, done)
  })
}
