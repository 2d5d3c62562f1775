import type { IncomingMessage } from "node:http"
import type { FastifyInstance } from "fastify"
import { newShortId } from "#kit/ids"
import { inRequest } from "#kit/request-scope"
import type { IsTrusted } from "./trusted-peers.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** The trusted proxy's name for this request; null without one. */
    traceId: string | null
  }
}

export const requestIdHeader = "x-request-id"

/** Always our own: an id that a caller sends is anybody's text, and two requests might share it. */
export function newRequestId(): string {
  return newShortId()
}

/**
 * Every answer carries its request's id, by which log and audit are searched. A trusted proxy's own id goes to the log
 * beside it, so that one search finds the request in both logs.
 */
export function nameRequests(app: FastifyInstance, isTrusted: IsTrusted): void {
  app.decorateRequest("traceId", null)
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(requestIdHeader, request.id)
    request.traceId = proxysTraceOf(request.raw, isTrusted)
    inRequest(request, done)
  })
}

/** The trusted proxy's name for a request; null without one. */
export function proxysTraceOf(request: IncomingMessage, isTrusted: IsTrusted): string | null {
  const named = traceIdIn(request)
  return named !== null && isTrusted(request.socket.remoteAddress) ? named : null
}

/** The trace of W3C's Trace Context, or without it the request id that nginx and others send. */
function traceIdIn({ headers }: IncomingMessage): string | null {
  const { traceparent, "x-request-id": requestId } = headers
  if (traceparent === undefined && requestId === undefined) return null
  const [, trace] = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.exec(textOf(traceparent)) ?? []
  return trace ?? /^[\w-]{8,64}$/.exec(textOf(requestId))?.[0] ?? null
}

function textOf(header: unknown): string {
  return typeof header === "string" ? header : ""
}
