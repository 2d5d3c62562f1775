import type { IncomingMessage } from "node:http"
import type { FastifyInstance } from "fastify"
import { newShortId } from "#kit/ids"
import { Histogram, metrics } from "#kit/metrics"
import { inRequest } from "#kit/request-scope"
import type { IsTrusted } from "./hosts.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Spent on the request before its route got it. */
    earlierMs: number
  }
}

const durations = new Histogram({
  name: "http_request_duration_seconds",
  help: "Time from a request's arrival to the end of its reply",
  labelNames: ["route", "method", "status"],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metrics],
})

export function observeRequest(labels: { route: string; method: string; status: number }, seconds: number): void {
  durations.observe(labels, seconds)
}

/** Labelled by the route's pattern and never by the URL, which would make a new series per link. */
export function measureRequests(app: FastifyInstance): void {
  app.decorateRequest("earlierMs", 0)
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown"
    const seconds = (request.earlierMs + reply.elapsedTime) / 1000
    observeRequest({ route, method: request.method, status: reply.statusCode }, seconds)
    done()
  })
}

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
 * next to it, so that one search finds the request in both logs.
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
