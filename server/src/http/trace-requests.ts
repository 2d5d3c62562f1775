import { randomBytes } from "node:crypto"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Logger } from "#kit/log"
import { createOtlpExporter, type OtlpTarget, type Span } from "#kit/otlp-exporter"

type Begun = Pick<Span, "traceId" | "spanId" | "parentSpanId" | "startedAtMs">

/** One span a request, below the trusted proxy's where it names one. Loaded only where traces are wanted. */
export function traceRequests(app: FastifyInstance, { otlp, log }: { otlp: OtlpTarget; log: Logger }): void {
  const exporter = createOtlpExporter(otlp, log)
  const begun = new WeakMap<FastifyRequest, Begun>()

  app.addHook("onRequest", (request, _reply, done) => {
    const span = beginSpan(request, otlp.share)
    if (span !== null) begun.set(request, span)
    done()
  })
  app.addHook("onResponse", (request, reply, done) => {
    const span = begun.get(request)
    const route = request.routeOptions.url ?? "unknown"
    if (span !== undefined) {
      exporter.add({
        ...span,
        name: `${request.method} ${route}`,
        durationMs: reply.elapsedTime,
        attributes: {
          "http.request.method": request.method,
          // The pattern and never the address, which may hold a token.
          "http.route": route,
          "http.response.status_code": reply.statusCode,
          "tilinta.request_id": request.id,
        },
        failed: reply.statusCode >= 500,
      })
    }
    done()
  })
  app.addHook("onClose", () => exporter.stop())
}

/** The trace's id goes to the log, too, where no proxy has named the request. Null where the trace isn't kept. */
function beginSpan(request: FastifyRequest, share: number): Begun | null {
  const [, trace, parent, flags] = String(request.headers["traceparent"] ?? "").split("-")
  const isNamed = trace !== undefined && trace === request.traceId
  const given = (request.traceId ?? "").replaceAll("-", "").toLowerCase()
  const traceId = /^[0-9a-f]{32}$/.test(given) ? given : randomBytes(16).toString("hex")
  request.traceId ??= traceId
  const isKept = isNamed ? (Number.parseInt(flags ?? "", 16) & 1) === 1 : isInShare(traceId, share)
  const spanId = randomBytes(8).toString("hex")
  return isKept ? { traceId, spanId, parentSpanId: isNamed ? (parent ?? null) : null, startedAtMs: Date.now() } : null
}

/** Decided by the id, so that every node keeps the same traces. */
function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32
}
