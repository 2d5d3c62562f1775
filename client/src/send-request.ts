import type { components } from "./api-types.ts"

/** How calls reach the server. */
export interface Connection {
  url: string
  apiKey: string
  /** The shop for which a session's person acts; absent for their own. */
  shop?: string
  /** How often a failed call is repeated. */
  retries: number
  timeoutMs: number
  fetch: typeof fetch
  pause: typeof pauseFor
}

interface ApiRequest {
  method: string
  /** With its query. */
  path: string
  /** A file, or what is sent as JSON. */
  body?: unknown
  /** Makes a repeated creation one creation. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

interface Answer {
  status: number
  headers: Headers
  /** JSON as a value, anything else as its text. */
  body: unknown
}

const LONGEST_PAUSE_MS = 30_000

/** Sends until the answer is definite: repeats what can't happen twice, and waits as long as the server asks. Gives its body. */
export async function sendRequest(connection: Connection, request: ApiRequest): Promise<unknown> {
  let mayHaveHappened = false
  for (let attempt = 0; ; attempt += 1) {
    const answer = await sendOnce(connection, request)
    if (!(answer instanceof Error)) {
      if (answer.status >= 200 && answer.status < 300) return answer.body
      // The attempt before deleted it, and its answer was lost.
      if (mayHaveHappened && request.method === "DELETE" && answer.status === 404) return undefined
    }
    const isLast = attempt >= connection.retries
    if (isLast || !isRepeatable(request, answer)) throw errorOf(answer)
    mayHaveHappened ||= statusOf(answer) !== 429
    await connection.pause(pauseBefore(attempt + 1, answer), request.signal)
  }
}

/** A whole answer, or the reason for which none came: a connection may also break after the headers. */
async function sendOnce(connection: Connection, request: ApiRequest): Promise<Answer | Error> {
  const { url, apiKey, shop, timeoutMs } = connection
  const deadline = AbortSignal.timeout(timeoutMs)
  const { method, path, body, idempotencyKey, signal } = request
  const isFile = body instanceof Blob
  try {
    const response = await connection.fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(shop !== undefined && { "x-shop": shop }),
        ...(body !== undefined && { "content-type": isFile ? body.type : "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
    return { status: response.status, headers: response.headers, body: await bodyOf(response) }
  } catch (error) {
    signal?.throwIfAborted()
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json")
  if (response.ok) return response.status === 204 ? undefined : isJson ? response.json() : response.text()
  // The status of a failure counts, whatever became of its words.
  return response.json().catch(() => undefined)
}

function statusOf(answer: Answer | Error): number {
  return answer instanceof Error ? 0 : answer.status
}

function isRepeatable({ method, idempotencyKey }: ApiRequest, answer: Answer | Error): boolean {
  const status = statusOf(answer)
  // A call that was turned away has done nothing.
  if (status === 429) return true
  const isHarmless = method === "GET" || method === "DELETE" || idempotencyKey !== undefined
  return isHarmless && (status === 0 || status === 408 || status >= 500)
}

function pauseBefore(attempt: number, answer: Answer | Error): number {
  const requestedMs = answer instanceof Error ? 0 : Number(answer.headers.get("retry-after") ?? 0) * 1000
  const own = 250 * 2 ** attempt * (0.5 + Math.random() / 2)
  return Math.min(Math.max(requestedMs || 0, own), LONGEST_PAUSE_MS)
}

function errorOf(answer: Answer | Error): TilintaError {
  if (answer instanceof Error) return new TilintaError(0, { message: "The server did not answer", cause: answer })
  const { status, body } = answer
  const said = typeof body === "object" && body !== null ? body : {}
  return new TilintaError(status, { message: `HTTP ${status}`, ...said })
}

/** Ends early, with the signal's reason, when it is aborted. */
export function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stop, { once: true })
  })
}

type ErrorReply = components["schemas"]["Error"]

interface Reason {
  message: string
  code?: ErrorReply["code"]
  errors?: ErrorReply["errors"]
  cause?: unknown
}

/** A call that the server refused, or that never reached it. */
export class TilintaError extends Error {
  /** The answer's HTTP status; 0 when none came. */
  readonly status: number
  /** Stable; `unreachable` when no answer came, or none of ours. */
  readonly code: ErrorReply["code"] | "unreachable"
  /** The fields that were refused. */
  readonly errors: NonNullable<ErrorReply["errors"]>

  constructor(status: number, { message, code, errors = [], cause }: Reason) {
    super(message, { cause })
    this.name = "TilintaError"
    this.status = status
    this.code = code ?? "unreachable"
    this.errors = errors
  }
}
