import { PspError } from "./psp.ts"

export interface Answer {
  status: number
  /** The JSON that came, undefined when it was none. */
  body: unknown
}

interface BoundedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
  timeoutMs: number
}

const MAX_ANSWER_BYTES = 1_048_576

/** JSON over HTTP, bounded in time and size, no redirects. Throws a PspError where no whole answer came. */
export async function sendBounded({ url, timeoutMs, ...init }: BoundedRequest): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, body: parseJson(await readBounded(response)) }
  } catch (error) {
    if (error instanceof PspError) throw error
    throw new PspError(wasRefused(error) ? "unavailable" : "unknown", "no answer from the provider", { cause: error })
  }
}

export function failureOf(status: number): PspError {
  const definite = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
  return new PspError(definite ? "rejected" : "unknown", `the provider answered ${status}`)
}

/** A connection that was never made can't have carried the request. */
function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause !== null && typeof cause === "object" && "code" in cause ? cause.code : undefined
  return code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "UND_ERR_CONNECT_TIMEOUT"
}

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return ""
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new PspError("unknown", "answer larger than 1 MB")
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  if (text === "") return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
