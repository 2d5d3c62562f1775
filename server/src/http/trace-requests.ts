import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api"
import { W3CTraceContextPropagator } from "@opentelemetry/core"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Logger } from "#kit/log"
import { createOtlpTracer, type OtlpTarget } from "#kit/otlp-tracer"

/** One span a request, below the trusted proxy's where it names one. Loaded only where traces are wanted. */
export function traceRequests(app: FastifyInstance, { otlp, log }: { otlp: OtlpTarget; log: Logger }): void {
  const { tracer, stop } = createOtlpTracer(otlp, log)
  const begun = new WeakMap<FastifyRequest, Span>()

  app.addHook("onRequest", (request, _reply, done) => {
    const { id, method, routeOptions } = request
    // The pattern and never the address, which may hold a token.
    const route = routeOptions.url ?? "unknown"
    const attributes = { "http.request.method": method, "http.route": route, "tilinta.request_id": id }
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parentOf(request))
    // The trace's id goes to the log, too, where no proxy has named the request.
    request.traceId ??= span.spanContext().traceId
    begun.set(request, span)
    done()
  })
  app.addHook("onResponse", (request, { statusCode }, done) => {
    const span = begun.get(request)?.setAttribute("http.response.status_code", statusCode)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
  app.addHook("onClose", stop)
}

const traceContext = new W3CTraceContextPropagator()

/** The trusted proxy's span, if it named this request by `traceparent`: from anybody else that counts for nothing. */
function parentOf({ headers: { traceparent }, traceId }: FastifyRequest): Context {
  const named = traceContext.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)
  return trace.getSpanContext(named)?.traceId === traceId ? named : ROOT_CONTEXT
}
