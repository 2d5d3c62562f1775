import { hostname } from "node:os"
import type { Logger } from "./log.ts"
import { version } from "./version.ts"

/** A collector that speaks OTLP over HTTP, by OpenTelemetry's own variables. */
export interface OtlpTarget {
  /** The address below which `/v1/traces` is. */
  url: string
  headers: Readonly<Record<string, string>>
  service: string
  /** Share of the traces that begin here, from 0 to 1. */
  share: number
}

export interface Span {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  startedAtMs: number
  durationMs: number
  attributes: Readonly<Record<string, string | number>>
  failed: boolean
}

interface OtlpExporter {
  add(span: Span): void
  /** Sends what is left. */
  stop(): Promise<void>
}

const most = 2_048
const sendEveryMs = 5_000
const answerWithinMs = 3_000
const warnEveryMs = 60_000
const kinds = { server: 2 }
const codes = { unset: 0, error: 2 }

/** Spans wait in memory and are dropped when the collector fails or is too slow: no request ever waits for it. */
export function createOtlpExporter(target: OtlpTarget, log: Logger): OtlpExporter {
  const waiting: Span[] = []
  let dropped = 0
  let sending: Promise<void> = Promise.resolve()
  const tellOfFailure = warnSometimes(log)
  const tellOfDropped = warnSometimes(log)

  async function send(spans: Span[]): Promise<void> {
    try {
      const { ok, status } = await fetch(`${target.url}/v1/traces`, {
        method: "POST",
        headers: { ...target.headers, "content-type": "application/json" },
        body: JSON.stringify(requestOf(spans, target.service)),
        signal: AbortSignal.timeout(answerWithinMs),
      })
      if (!ok) throw new Error(`the collector answered ${status}`)
    } catch (error) {
      tellOfFailure({ err: error, spans: spans.length }, "traces could not be sent")
    }
  }

  function flush(): Promise<void> {
    const spans = waiting.splice(0)
    if (dropped > 0 && tellOfDropped({ spans: dropped }, "traces were dropped: too many at once")) dropped = 0
    if (spans.length > 0) sending = sending.then(() => send(spans))
    return sending
  }

  const timer = setInterval(() => void flush(), sendEveryMs).unref()
  return {
    add(span) {
      if (waiting.length < most) waiting.push(span)
      else dropped += 1
    },
    stop() {
      clearInterval(timer)
      return flush()
    },
  }
}

/** False where it was told less than a minute ago. */
function warnSometimes(log: Logger): (facts: object, line: string) => boolean {
  let warnedAt = Number.NEGATIVE_INFINITY
  return (facts, line) => {
    if (performance.now() - warnedAt < warnEveryMs) return false
    warnedAt = performance.now()
    log.warn(facts, line)
    return true
  }
}

/** The JSON of OTLP 1.x: ids in hex, 64-bit numbers as text. */
function requestOf(spans: readonly Span[], service: string): object {
  const resource = { "service.name": service, "service.version": version, "service.instance.id": hostname() }
  const written = spans.map(({ startedAtMs, durationMs, attributes, failed, parentSpanId, ...span }) => ({
    ...span,
    ...(parentSpanId !== null && { parentSpanId }),
    kind: kinds.server,
    startTimeUnixNano: nanosecondsOf(startedAtMs),
    endTimeUnixNano: nanosecondsOf(startedAtMs + durationMs),
    attributes: attributesOf(attributes),
    status: { code: failed ? codes.error : codes.unset },
  }))
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: "tilinta" }, spans: written }],
      },
    ],
  }
}

function attributesOf(attributes: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }))
}

function nanosecondsOf(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n)
}
