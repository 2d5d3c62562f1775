import type { pauseFor } from "./pause-for.ts"
import { TilintaError } from "./tilinta-error.ts"

/** How calls reach the server. */
export interface Connection {
  url: string
  apiKey: string
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
  body?: unknown
  /** Makes a repeated creation one creation. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

const LONGEST_PAUSE_MS = 30_000

/** Sends until the answer is definite: repeats what can't happen twice, and waits as long as the server asks. */
export async function sendRequest(connection: Connection, request: ApiRequest): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await sendOnce(connection, request)
    if (answer instanceof Response && answer.ok) return answer
    const isLast = attempt >= connection.retries
    if (isLast || !isRepeatable(request, answer)) throw await errorOf(answer)
    await connection.pause(pauseBefore(attempt + 1, answer), request.signal)
  }
}

/** An answer, or the reason for which none came. */
async function sendOnce(connection: Connection, request: ApiRequest): Promise<Response | Error> {
  const { url, apiKey, timeoutMs } = connection
  const deadline = AbortSignal.timeout(timeoutMs)
  const { method, path, body, idempotencyKey, signal } = request
  try {
    return await connection.fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
  } catch (error) {
    signal?.throwIfAborted()
    return error instanceof Error ? error : new Error(String(error))
  }
}

function isRepeatable({ method, idempotencyKey }: ApiRequest, answer: Response | Error): boolean {
  const status = answer instanceof Response ? answer.status : 0
  // A call that was turned away has done nothing.
  if (status === 429) return true
  const isHarmless = method === "GET" || method === "DELETE" || idempotencyKey !== undefined
  return isHarmless && (status === 0 || status === 408 || status >= 500)
}

function pauseBefore(attempt: number, answer: Response | Error): number {
  const asked = answer instanceof Response ? Number(answer.headers.get("retry-after") ?? 0) * 1000 : 0
  const own = 250 * 2 ** attempt * (0.5 + Math.random() / 2)
  return Math.min(Math.max(asked || 0, own), LONGEST_PAUSE_MS)
}

async function errorOf(answer: Response | Error): Promise<TilintaError> {
  if (answer instanceof Error) return new TilintaError(0, { message: "The server did not answer", cause: answer })
  const reply: unknown = await answer.json().catch(() => undefined)
  const said = typeof reply === "object" && reply !== null ? reply : {}
  return new TilintaError(answer.status, { message: `HTTP ${answer.status}`, ...said })
}
