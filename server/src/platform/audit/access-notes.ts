import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { recordAudits } from "./record.ts"
import type { AuditEntry } from "./rules.ts"

export interface Access extends Omit<AuditEntry, "happenedAt" | "before" | "after"> {
  /** Facts that make it another access than those of the same minute. */
  facts: Record<string, unknown>
}

export interface AccessNotes {
  /** Keeps the access in memory, without a query: no answer waits for it. */
  note(access: Access): void
  flush(): Promise<void>
}

interface Waiting {
  access: Access
  firstAt: Date
  attempts: number
}

const MINUTE_MS = 60_000
/** Records say when they were written, to the chain's tolerance: a note that waited for the database longer says so. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS
/** Beyond so many different ones within a minute the rest is counted as one. */
const MOST_AT_ONCE = 2_000

/**
 * Accesses that are recorded without being changes. The first of a minute is written within seconds, with those that came
 * until then; all that follow in that minute are one more record, so that a loop can't flood the audit.
 */
export function createAccessNotes({ db, clock }: { db: Db; clock: Clock }): AccessNotes {
  const waiting = new Map<string, Waiting>()
  /** When the minute of each written access ends. */
  const quietUntil = new Map<string, number>()

  function add(key: string, { access, firstAt, attempts }: Waiting): void {
    const known = waiting.get(key)
    if (known === undefined) waiting.set(key, { access, firstAt, attempts })
    else known.attempts += attempts
  }

  function takeDue(now: Date): Map<string, Waiting> {
    const due = new Map<string, Waiting>()
    for (const [key, until] of quietUntil) if (until <= now.getTime()) quietUntil.delete(key)
    for (const [key, each] of waiting) if (!quietUntil.has(key)) due.set(key, each)
    for (const key of due.keys()) waiting.delete(key)
    return due
  }

  return {
    note(access) {
      const own = keyOf(access)
      const isFull = waiting.size >= MOST_AT_ONCE && !waiting.has(own)
      add(isFull ? access.action : own, { access, firstAt: clock.now(), attempts: 1 })
    },
    async flush() {
      const now = clock.now()
      const due = takeDue(now)
      if (due.size === 0) return
      try {
        await db.transaction().execute((tx: Tx) => recordAudits(tx, entriesOf(due, now)))
        for (const key of due.keys()) quietUntil.set(key, now.getTime() + MINUTE_MS)
      } catch (error) {
        for (const [key, each] of due) add(key, each)
        throw error
      }
    },
  }
}

/** The subject doesn't count: whoever tries one address after the other gets one record. Strangers share theirs. */
function keyOf({ actor, action, facts }: Access): string {
  return `${actor?.id} ${action} ${JSON.stringify(facts)}`
}

function entriesOf(due: ReadonlyMap<string, Waiting>, now: Date): AuditEntry[] {
  return [...due.values()].map(({ access: { facts, ...entry }, firstAt, attempts }) => {
    const isLate = now.getTime() - firstAt.getTime() > LONGEST_WAIT_MS
    const after = { ...facts, ...(attempts > 1 && { attempts }), ...(isLate && { firstAt: firstAt.toISOString() }) }
    return { ...entry, happenedAt: isLate ? now : firstAt, before: null, after }
  })
}
