import { rootCertificates } from "node:tls"
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen, IterableBackoff } from "cockatiel"
import type { Logger } from "pino"
import { askHttp, type Connections, openConnections, ReplyTooLarge } from "#kit/http-client"
import { readBankJson } from "./bank-json.ts"
import type { ClientCertificate } from "./client-certificate.ts"
import { PspError } from "./psp.ts"

export interface Answer {
  status: number
  /** The parsed JSON; undefined when it isn't JSON. */
  body: unknown
  text: string
  retryAfter: string | null
  /** The provider's clock, from the Date header. */
  date: Date | null
}

export interface BoundedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
  /** Timeout of the whole call, to its last byte. */
  timeoutMs: number
  /** Connections with special settings, such as a client certificate. */
  connections?: Connections
}

const MAX_ANSWER_BYTES = 1_048_576
const shownHeaders = { accept: "application/json", "user-agent": "Tilinta" }
const usualConnections = openConnections({})

/** JSON over HTTP with limits on time and size, and no redirects. Throws a PspError when no whole answer arrives. */
export async function sendBounded({
  url,
  timeoutMs,
  headers,
  connections = usualConnections,
  ...init
}: BoundedRequest): Promise<Answer> {
  try {
    const { origin, pathname, search } = new URL(url)
    const request = { ...init, path: pathname + search, headers: { ...shownHeaders, ...headers } }
    const reply = await askHttp(connections, origin, request, { timeoutMs, maxBytes: MAX_ANSWER_BYTES })
    const { "retry-after": retryAfter, date } = reply.headers
    return {
      status: reply.status,
      body: readBankJson(reply.text),
      text: reply.text,
      retryAfter: typeof retryAfter === "string" ? retryAfter : null,
      date: typeof date === "string" ? new Date(date) : null,
    }
  } catch (error) {
    if (error instanceof ReplyTooLarge) throw new PspError("unknown", "answer larger than 1 MB", { cause: error })
    throw failureOfTransport(error)
  }
}

/** Classifies an unsuccessful status. A 429 means that nothing was done. */
export function failureOf({ status, ...answer }: Pick<Answer, "status" | "body" | "text">): PspError {
  const definite = status >= 400 && status < 500 && ![401, 403, 408].includes(status)
  const failure = status === 429 ? "unavailable" : definite ? "rejected" : "unknown"
  const reason = describeRefusal(answer)
  return new PspError(failure, `the provider answered ${status}${reason === "" ? "" : ` (${reason})`}`)
}

/** The ways of banks to say that a list is empty (docs/psp). A 404 counts in the standard's words alone: a path may be wrong. */
export function saysNone({ status, body, text }: Answer): boolean {
  if (status === 204) return true
  if (status === 200) return body === null || text.trim() === ""
  return status === 404 && /NaoEncontrad[oa]$/i.test(kindOfRefusal(body) ?? "")
}

const FAILURES_IN_A_ROW = 8
/** Pauses of the circuit breaker. The first is short, since most failures are brief; the last one repeats. */
export const usualPausesMs: readonly number[] = [1_000, 2_000, 5_000, 10_000]

type Circuit = (call: () => Promise<Answer>) => Promise<Answer>

/** One circuit breaker per kind of call: a bank's lists fail more often than its creation of codes. */
export function createCircuits(log: Logger, pausesMs: readonly number[]) {
  const circuits = new Map<string, Circuit>()
  return (kind: string, call: () => Promise<Answer>): Promise<Answer> => {
    const circuit = circuits.get(kind) ?? createCircuit(log.child({ kind }), pausesMs)
    circuits.set(kind, circuit)
    return circuit(call)
  }
}

/**
 * Circuit breaker: while the bank keeps failing, calls fail at once as not carried out, and one at a time probes
 * whether it is back. Any answer of the bank, a refusal included, is no failure.
 */
function createCircuit(log: Logger, pausesMs: readonly number[]): Circuit {
  const isFailure = (error: unknown) =>
    error instanceof PspError && error.failure !== "rejected" && !(error.cause instanceof ReplyTooLarge)
  const policy = handleWhen(isFailure).orWhenResult((answer) => (answer as Answer).status >= 500)
  const circuit = circuitBreaker(policy, {
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    halfOpenAfter: new IterableBackoff(pausesMs),
  })
  circuit.onBreak(() => log.error({ alarm: "provider_failing" }, "the provider keeps failing: not asked for a while"))
  circuit.onReset(() => log.info("the provider answers again"))

  return async (call: () => Promise<Answer>): Promise<Answer> => {
    if (circuit.state === CircuitState.HalfOpen) throw notSent()
    return circuit.execute(call).catch((error: unknown) => {
      throw error instanceof PspError ? error : notSent({ cause: error })
    })
  }
}

function notSent(options?: ErrorOptions): PspError {
  return new PspError("unavailable", "the provider keeps failing and was not asked", options)
}

const SHORTEST_MS = 1_000
const LONGEST_MS = 60_000

/** Respects a 429's Retry-After, per kind of call, so that creating codes doesn't wait for lists. */
export function createThrottle() {
  const pausedUntilMs = new Map<string, number>()
  return async (kind: string, call: () => Promise<Answer>): Promise<Answer> => {
    const untilMs = pausedUntilMs.get(kind) ?? 0
    if (performance.now() < untilMs)
      throw new PspError("unavailable", "the provider asked to be left alone for a while")
    const answer = await call()
    if (answer.status === 429) pausedUntilMs.set(kind, performance.now() + pauseMs(answer))
    return answer
  }
}

/** Seconds, or a date by the bank's own clock. */
function pauseMs({ retryAfter, date }: Answer): number {
  const seconds = Number(retryAfter ?? "")
  const until = new Date(retryAfter ?? "").getTime()
  const now = (date ?? new Date()).getTime()
  const requestedMs = Number.isFinite(seconds) ? seconds * 1000 : until - now
  return Math.min(Math.max(Number.isNaN(requestedMs) ? 0 : requestedMs, SHORTEST_MS), LONGEST_MS)
}

/** Errors before a connection or handshake was complete: the request can't have been sent. */
const unmade = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_UNTRUSTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "HOSTNAME_MISMATCH",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_SSL_UNSUPPORTED_PROTOCOL",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "EPROTO",
])

/**
 * The bank's refusal of our certificate: with TLS 1.3 it arrives after our first bytes, and still ends the handshake.
 */
const refusedCertificate =
  /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED|CERTIFICATE_UNKNOWN|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|HANDSHAKE_FAILURE|PROTOCOL_VERSION|NO_CERTIFICATE)/

function failureOfTransport(error: unknown): PspError {
  const code = codeOf(error)
  const wasMade = !unmade.has(code) && !refusedCertificate.test(code)
  const reason = code === "" ? "" : ` (${code})`
  return new PspError(wasMade ? "unknown" : "unavailable", `no answer from the provider${reason}`, { cause: error })
}

/** Connection errors wrap the one that has the code. */
function codeOf(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && typeof inner.code === "string") return inner.code
    if (inner.name === "TimeoutError") return "timeout"
  }
  return ""
}

const LONGEST = 200

/** Fields in which banks give a reason, best first: the standard's problem, and other formats. */
const reasonFields = [
  "detail",
  "mensagem",
  "message",
  "_message",
  "error_description",
  "faultstring",
  "descricao",
  "title",
]
const nestedFields = ["fault", "erros", "errors", "_details", "details", "error", "violacoes"]
const kindFields = ["type", "nome", "codigo", "code", "_errorCode", "errorcode", "error"]

/** The bank's reason in its own words; null when it gives none. */
export function readRefusal({ body, text }: { body: unknown; text: string }): string | null {
  const reason = body === undefined ? faultOf(text) : reasonIn(body, 0)
  return reason === null ? null : shorten(reason)
}

/** For the log: the kind of refusal and its reason, without personal data. */
export function describeRefusal(answer: { body: unknown; text: string }): string {
  const kind = kindOfRefusal(answer.body)
  const chunks = [...new Set([kind, readRefusal(answer)])].filter((chunk) => chunk !== null)
  return shorten(withoutPersonalData(chunks.join(": ")))
}

function reasonIn(value: unknown, depth: number): string | null {
  if (typeof value !== "object" || value === null || depth > 3) return null
  if (Array.isArray(value)) return firstOf(value, (item) => reasonIn(item, depth + 1))
  const fields = value as Record<string, unknown>
  const own = firstOf(reasonFields, (name) => textOf(fields[name]))
  const violated = firstOf([fields.violacoes].flat(), violationOf)
  if (own !== null) return violated === null ? own : `${own} ${violated}`
  const nested = firstOf(nestedFields, (name) => reasonIn(fields[name], depth + 1))
  return nested ?? textOf(fields.error)
}

function violationOf(violation: unknown): string | null {
  const { razao, propriedade } = (violation ?? {}) as { razao?: unknown; propriedade?: unknown }
  const reason = textOf(razao)
  const property = textOf(propriedade)
  if (reason === null) return null
  return property === null ? reason : `${property}: ${reason}`
}

/** The kind of refusal in the bank's own word, such as the standard's `CobOperacaoInvalida`. */
export function kindOfRefusal(body: unknown): string | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null
  const kind = firstOf(kindFields, (name) => textOf((body as Record<string, unknown>)[name]))
  return kind?.split("/").at(-1) ?? null
}

/** SOAP or any other markup. */
function faultOf(text: string): string | null {
  const fault = /<(?:\w+:)?(?:faultstring|Text|message|title)[^>]*>([^<]{1,400})</i.exec(text)?.[1]
  return textOf(fault)
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null
}

function firstOf<Item>(items: readonly Item[], read: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = read(item)
    if (found !== null) return found
  }
  return null
}

function shorten(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, LONGEST)
}

function withoutPersonalData(text: string): string {
  return text
    .replace(/(?<![\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)*/g, "[email]")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "[chave]")
    .replace(/\+?\d[\d.()/-]{6,}\d/g, "[número]")
}

interface ConnectionOptions {
  certificate: ClientCertificate | null
  /** PEM authorities, trusted in addition to the usual ones. */
  authorities: readonly string[]
  timeoutMs: number
}

const CONNECT_MS = 5_000
const CONNECTIONS = 128

/**
 * One pool of keep-alive connections to a bank: TLS 1.2 or newer, always verified, with our client certificate if there
 * is one.
 */
export function openBankConnections({ certificate, authorities, timeoutMs }: ConnectionOptions): Connections {
  return openConnections({
    connections: CONNECTIONS,
    connectMs: Math.min(CONNECT_MS, timeoutMs),
    tls: { ...certificate?.tls, ca: [...rootCertificates, ...authorities], minVersion: "TLSv1.2" },
  })
}
