import type { Logger } from "pino"
import { type Answer, createCircuits, createThrottle, sendBounded } from "#psp/bounded-http"
import { PspError } from "#psp/psp"
import { createBankTime } from "#psp/watched-psp"
import { refusalSchema } from "./woovi-schemas.ts"

export interface WooviConfig {
  /** The host alone, such as https://api.woovi.com, without a trailing slash. */
  baseUrl: string
  appId: string
  timeoutMs: number
  /** Pauses of the circuit breaker after consecutive failures. */
  pausesMs: readonly number[]
  log: Logger
}

export type WooviClient = ReturnType<typeof createWooviClient>

const LONGEST_REASON = 200

/**
 * Every call carries the AppID, the account's only secret. A circuit breaker per kind of call pauses those that keep
 * failing.
 */
export function createWooviClient({ baseUrl, appId, timeoutMs, pausesMs, log }: WooviConfig) {
  const throttle = createThrottle()
  const circuits = createCircuits(log, pausesMs)
  const bankTime = createBankTime()

  function request(method: string, path: string, body?: object): Promise<Answer> {
    async function send(): Promise<Answer> {
      const answer = await sendBounded({
        url: `${baseUrl}/api/v1${path}`,
        method,
        headers: { authorization: appId, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
      })
      bankTime.hear(answer.date)
      return answer
    }
    const kind = `${path.includes("?") ? "list" : method} ${path.split(/[/?]/)[1] ?? ""}`
    return throttle(kind, () => circuits(kind, send))
  }
  return { request, bankTime: (monotonicMs = performance.now()) => bankTime.at(monotonicMs) }
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299
}

/**
 * Woovi's own refusal, in its words. Null for any other answer: one in another format may come from a proxy in front of
 * Woovi, and decides nothing.
 */
export function refusalOf({ status, body }: Answer): string | null {
  if (![400, 404, 409, 422].includes(status)) return null
  const parsed = refusalSchema.safeParse(body)
  return parsed.success ? parsed.data.error.slice(0, LONGEST_REASON) : null
}

/** Recognises that the id is in use, in either of Woovi's languages. */
export function saysTaken(answer: Answer): boolean {
  return /já existe|already/i.test(refusalOf(answer) ?? "")
}

/** For a query by id, Woovi answers 400 when it doesn't know it. */
export function saysNotFound(answer: Answer): boolean {
  return (answer.status === 400 || answer.status === 404) && refusalOf(answer) !== null
}

/** Definite only when Woovi itself refused. A 429 means that nothing was done. */
export function wooviFailureOf(answer: Answer): PspError {
  const reason = refusalOf(answer)
  const failure = answer.status === 429 ? "unavailable" : reason === null ? "unknown" : "rejected"
  return new PspError(failure, `the provider answered ${answer.status}${reason === null ? "" : `: ${reason}`}`)
}
