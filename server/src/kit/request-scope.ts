import { AsyncLocalStorage } from "node:async_hooks"
import { setTimeout as sleep } from "node:timers/promises"

const requests = new AsyncLocalStorage<object>()

/** Runs work of one request, so that its steps are known as belonging together. */
export function inRequest<Result>(request: object, work: () => Result): Result {
  return requests.run(request, work)
}

/** Undefined outside requests, as in jobs. */
export function currentRequest(): object | undefined {
  return requests.getStore()
}

/** The id that stands in the answer, in the log and in the audit; null outside requests. */
export function currentRequestId(): string | null {
  const { id }: { id?: unknown } = requests.getStore() ?? {}
  return typeof id === "string" ? id : null
}

/** The trusted proxy's name for the request; null without one, and outside requests. */
export function currentTraceId(): string | null {
  const { traceId }: { traceId?: unknown } = requests.getStore() ?? {}
  return typeof traceId === "string" ? traceId : null
}

/** The user agent as the request named it, made harmless; null without one, and outside requests. */
export function currentDevice(): string | null {
  const { headers }: { headers?: { "user-agent"?: unknown } } = requests.getStore() ?? {}
  const named = headers?.["user-agent"]
  return typeof named === "string" && named !== "" ? storableDevice(named) : null
}

export function storableDevice(userAgent: string): string {
  return userAgent.replaceAll(/\p{Cc}/gu, " ").slice(0, 200)
}

/** How strictly accounts and money are guarded; `relaxed` keeps the sandbox easy to try. */
export type Protection = "strict" | "relaxed"

/** Before it stops, a server says that it is not ready, and goes on serving until no proxy sends it anything. */
export interface Drain {
  isDraining(): boolean
  /** Resolves when the server may stop. */
  begin(): Promise<void>
}

/** `seconds` is what a load balancer needs to notice; 0 stops at once. */
export function createDrain(seconds: number): Drain {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    async begin() {
      isDraining = seconds > 0
      await sleep(seconds * 1_000)
    },
  }
}
