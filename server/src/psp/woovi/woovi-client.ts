import { type Answer, sendBounded } from "#psp/bounded-http"
import { PspError } from "#psp/psp"
import { refusalSchema } from "./schemas.ts"

export interface WooviConfig {
  /** The host alone, such as https://api.woovi.com, without a slash at the end. */
  baseUrl: string
  appId: string
  timeoutMs: number
}

export type WooviClient = ReturnType<typeof createWooviClient>

const LONGEST_REASON = 200

/** Every call carries the AppID, the account's one secret. */
export function createWooviClient({ baseUrl, appId, timeoutMs }: WooviConfig) {
  function request(method: string, path: string, body?: object): Promise<Answer> {
    return sendBounded({
      url: `${baseUrl}/api/v1${path}`,
      method,
      headers: { authorization: appId, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    })
  }
  return { request }
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299
}

/**
 * Woovi's own no to what was asked, in its words. Null for any other answer: one without such words may
 * come from something that stands before Woovi, and decides nothing.
 */
export function refusalOf({ status, body }: Answer): string | null {
  if (![400, 404, 409, 422].includes(status)) return null
  const parsed = refusalSchema.safeParse(body)
  return parsed.success ? parsed.data.error.slice(0, LONGEST_REASON) : null
}

/** The id is in use, as Woovi says it in either language. */
export function saysTaken(answer: Answer): boolean {
  return /já existe|already/i.test(refusalOf(answer) ?? "")
}

/** To a question about one id, 400 is Woovi's way of not knowing it. */
export function saysNotFound(answer: Answer): boolean {
  return (answer.status === 400 || answer.status === 404) && refusalOf(answer) !== null
}

/** Definite only where Woovi itself said no. */
export function failureOf(answer: Answer): PspError {
  const reason = refusalOf(answer)
  const failure = reason === null ? "unknown" : "rejected"
  return new PspError(failure, `the provider answered ${answer.status}${reason === null ? "" : `: ${reason}`}`)
}
