import * as z from "zod/mini"
import type { Clock } from "#kit/clock"
import { askHttp, openConnections } from "#kit/http-client"
import { type Psp, PspError, type RecentContacts } from "./psp.ts"

/** Records every answer and failure of the provider; works for methods that are added later too. */
export function watchPsp(psp: Psp, notes: ContactRecorder): Psp {
  return watched(psp, notes, "")
}

function watched<T extends object>(target: T, notes: ContactRecorder, prefix: string): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name)
      const call = `${prefix}${String(name)}`
      if (typeof value === "function") {
        return (...given: unknown[]) => watchResult(Reflect.apply(value, target, given), notes, call)
      }
      return isFacet(value) ? watched(value, notes, `${call}.`) : value
    },
  })
}

function isFacet(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date)
}

function watchResult(result: unknown, notes: ContactRecorder, call: string): unknown {
  if (result instanceof Promise) return watchAnswer(result, notes, call)
  if (isFacet(result) && Symbol.asyncIterator in result) {
    return watchPages(result as AsyncIterable<unknown>, notes, call)
  }
  return result
}

async function watchAnswer(answer: Promise<unknown>, notes: ContactRecorder, call: string): Promise<unknown> {
  try {
    const result = await answer
    notes.succeeded(call)
    return result
  } catch (error) {
    recordFailure(error, notes, call)
    throw error
  }
}

async function* watchPages(pages: AsyncIterable<unknown>, notes: ContactRecorder, call: string): AsyncGenerator {
  try {
    for await (const page of pages) {
      notes.succeeded(call)
      yield page
    }
    notes.succeeded(call)
  } catch (error) {
    recordFailure(error, notes, call)
    throw error
  }
}

/** A definite refusal counts as contact: the provider is up and listening. */
function recordFailure(error: unknown, notes: ContactRecorder, call: string): void {
  notes.failed(call, error, error instanceof PspError && error.failure === "rejected")
}

export interface ContactRecorder {
  succeeded(call: string): void
  failed(call: string, error: unknown, isAnswer: boolean): void
  webhookReceived(): void
  /** Null when nothing happened. Clears the notes. */
  take(): RecentContacts | null
}

const longestMessage = 300
const nothing: RecentContacts = {
  lastContactAt: null,
  lastFailure: null,
  lastWebhookAt: null,
  webhookRegisteredAt: null,
}

/** Kept in memory, so that no call to the provider costs a write. */
export function createContactRecorder(clock: Clock): ContactRecorder {
  let pending = { ...nothing }
  let isEmpty = true

  function record(changes: Partial<RecentContacts>): void {
    pending = { ...pending, ...changes }
    isEmpty = false
  }

  return {
    succeeded(call) {
      const now = clock.now()
      record({ lastContactAt: now, ...(call === "registerWebhook" && { webhookRegisteredAt: now }) })
    },
    failed(call, error, isAnswer) {
      const at = clock.now()
      const message = (error instanceof Error ? error.message : String(error)).slice(0, longestMessage)
      record({ lastFailure: { at, call, message }, ...(isAnswer && { lastContactAt: at }) })
    },
    webhookReceived: () => record({ lastWebhookAt: clock.now() }),
    take() {
      if (isEmpty) return null
      const taken = pending
      pending = { ...nothing }
      isEmpty = true
      return taken
    },
  }
}

/** The provider's clock, as its answers tell it. */
interface BankTime {
  /** Notes the Date header of an answer that has just arrived. */
  hear(date: Date | null): void
  /** The provider's time at a moment of the monotonic clock; null before the first Date header. */
  at(monotonicMs: number): Date | null
}

/**
 * Extrapolates by the monotonic clock, so that a wrong wall clock of ours can't distort it. A Date header is rounded
 * down and read after its journey: the result is at most a few seconds behind, never ahead.
 */
export function createBankTime(): BankTime {
  let aheadOfMonotonicMs: number | null = null

  return {
    hear(date) {
      const ms = date?.getTime() ?? Number.NaN
      if (!Number.isNaN(ms)) aheadOfMonotonicMs = ms - performance.now()
    },
    at: (monotonicMs) => (aheadOfMonotonicMs === null ? null : new Date(aheadOfMonotonicMs + monotonicMs)),
  }
}

const path = "/simulador/api/controle/relogio"
const bounds = { timeoutMs: 2_000, maxBytes: 10_000 }
const reply = z.object({ agora: z.iso.datetime(), adiantadoMs: z.number() })

/**
 * Reads how far the simulated bank's clock was moved beyond ours, which may be ahead as well and is not counted twice. A bank
 * elsewhere tells it to nobody, and one that is down can't: null.
 */
export function simulatorAhead(simulatorUrl: string, clock: Clock): () => Promise<number | null> {
  const connections = openConnections({ connections: 1 })
  return async () => {
    try {
      const { text } = await askHttp(connections, new URL(simulatorUrl).origin, { method: "GET", path }, bounds)
      const answer = reply.safeParse(JSON.parse(text))
      if (!answer.success) return null
      const beyondMs = Date.parse(answer.data.agora) - clock.now().getTime()
      return Math.max(0, Math.min(answer.data.adiantadoMs, beyondMs))
    } catch {
      return null
    }
  }
}
