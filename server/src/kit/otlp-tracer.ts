import { AsyncLocalStorage } from "node:async_hooks"
import { hostname } from "node:os"
import { DiagLogLevel, diag, isValidTraceId, type Tracer } from "@opentelemetry/api"
import { callWithTimeout, setGlobalErrorHandler } from "@opentelemetry/core"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources"
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace"
import type { Logger } from "./log.ts"
import { version } from "./machine.ts"
import { currentTraceId } from "./request-scope.ts"

/** A collector that speaks OTLP over HTTP, by OpenTelemetry's own variables. */
export interface OtlpTarget {
  /** The address below which `/v1/traces` is. */
  url: string
  headers: Readonly<Record<string, string>>
  service: string
  /** Share of the traces that begin here, from 0 to 1. */
  share: number
}

interface OtlpTracer {
  tracer: Tracer
  /** Sends what is left, for a second at most. */
  stop(): Promise<void>
}

const queue = { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 5_000 }
/** One batch under way and the whole queue at the end. */
const concurrencyLimit = 1 + queue.maxQueueSize / queue.maxExportBatchSize
const answerWithinMs = 3_000
const stopWithinMs = 1_000
const warnEveryMs = 60_000

/** Spans wait in memory and are dropped when the collector fails or is too slow: no request ever waits for it. */
export function createOtlpTracer({ url, headers, service, share }: OtlpTarget, log: Logger): OtlpTracer {
  const logFailure = logFailuresTo(log)
  const exporter = new OTLPTraceExporter({
    url: `${url}/v1/traces`,
    headers,
    timeoutMillis: answerWithinMs,
    concurrencyLimit,
    httpAgentOptions: { keepAlive: true },
  })
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        "service.name": service,
        "service.version": version,
        "service.instance.id": hostname(),
      }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    idGenerator: new TraceIds(),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...queue, exportTimeoutMillis: answerWithinMs })],
  })
  return {
    tracer: provider.getTracer("tilinta", version),
    stop: () => callWithTimeout(provider.shutdown(), stopWithinMs).catch(logFailure),
  }
}

/** A trace that begins here has the id by which a trusted proxy has named the request, where that can be one. */
class TraceIds extends RandomIdGenerator {
  override generateTraceId(): string {
    const named = (currentTraceId() ?? "").replaceAll("-", "").toLowerCase()
    return isValidTraceId(named) ? named : super.generateTraceId()
  }
}

/** The library has one place for its errors and one for its warnings, as of dropped spans, for the whole process. */
function logFailuresTo(log: Logger): (error: unknown) => void {
  const warnOfFailure = warnSometimes(log, "traces could not be sent")
  const warnOfLoss = warnSometimes(log, "traces may be incomplete")
  const logFailure = (err: unknown) => warnOfFailure({ err })
  const logLoss = (...words: unknown[]) =>
    warnOfLoss({ detail: words.filter((word) => typeof word === "string").join(" ") })
  const ignore = () => undefined
  setGlobalErrorHandler(logFailure)
  diag.setLogger(
    { error: logLoss, warn: logLoss, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  return logFailure
}

/**
 * Says nothing where it was told less than a minute ago. The library sends within the request whose span began the
 * batch, and the line must not carry that request's id.
 */
function warnSometimes(log: Logger, line: string): (facts: object) => void {
  let warnedAt = Number.NEGATIVE_INFINITY
  return AsyncLocalStorage.bind((facts: object) => {
    if (performance.now() - warnedAt < warnEveryMs) return
    warnedAt = performance.now()
    log.warn(facts, line)
  })
}
