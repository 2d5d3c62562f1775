import { askHttp, type Connections, openConnections, ReplyTooLarge } from "#kit/http-client"
import { PspError } from "./psp.ts"
import { describeRefusal } from "./read-refusal.ts"
import { failureOfTransport } from "./transport-failure.ts"

export interface Answer {
  status: number
  /** The JSON that came, undefined when it was none. */
  body: unknown
  text: string
  retryAfter: string | null
  /** When the provider says it is. */
  date: Date | null
}

export interface BoundedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
  /** Of the whole call, from its first byte to its last. */
  timeoutMs: number
  /** Those of a certain kind, such as those that show a certificate. */
  connections?: Connections
}

const MAX_ANSWER_BYTES = 1_048_576
const shownHeaders = { accept: "application/json", "user-agent": "Tilinta" }
const usualConnections = openConnections({})

/** JSON over HTTP, bounded in time and size, no redirects. Throws a PspError where no whole answer came. */
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

/** What follows from a status that isn't the hoped-for one. Who says 'too many' has done nothing. */
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
