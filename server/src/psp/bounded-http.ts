import { askHttp, type Connections, openConnections, ReplyTooLarge } from "#kit/http-client"
import { PspError } from "./psp.ts"
import { describeRefusal } from "./read-refusal.ts"
import { failureOfTransport } from "./transport-failure.ts"

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
    const asked = { ...init, path: pathname + search, headers: { ...shownHeaders, ...headers } }
    const reply = await askHttp(connections, origin, asked, { timeoutMs, maxBytes: MAX_ANSWER_BYTES })
    const { "retry-after": retryAfter, date } = reply.headers
    return {
      status: reply.status,
      body: parseJson(reply.text),
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

function parseJson(text: string): unknown {
  if (text === "") return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
