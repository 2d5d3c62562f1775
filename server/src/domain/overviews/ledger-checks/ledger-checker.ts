import { ledgerCheckLock } from "#db/advisory-locks"
import type { DatabaseRoute } from "#db/database-route"
import { takeLock } from "#db/held-lock"
import { createPool } from "#db/pool"
import { createDb, type Db, type Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { SigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { finishCheckRow, insertCheck } from "./ledger-checks-repository.ts"
import { verifyBooks, verifyingPool } from "./verify-books.ts"

interface Deps {
  url: string | DatabaseRoute
  db: Db
  clock: Clock
  log: Logger
  signingKeys: SigningKeys
}

export interface LedgerChecker {
  /** False when a check is already running on any node. The check itself runs in the background. */
  start(requestedBy: Actor | null): Promise<boolean>
  /** Resolves when the check started by this node has ended. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Uses connections of its own with long timeouts: no request waits for a read of the whole history. */
export function createLedgerChecker(deps: Deps): LedgerChecker {
  let running: Promise<void> = Promise.resolve()
  let isStopping = false

  async function start(requestedBy: Actor | null): Promise<boolean> {
    const pool = createPool({ url: deps.url, ...verifyingPool, max: verifyingPool.max + 1, log: deps.log })
    const holder = await takeLock(pool, ledgerCheckLock)
    if (holder === null) return false
    const check = { id: newId(), requestedBy, startedAt: deps.clock.now() }
    try {
      await deps.db.transaction().execute((tx) => recordStart(tx, check))
    } catch (error) {
      await holder.letGo()
      throw error
    }
    running = checkBooks(deps, createDb(pool), check.id)
      .finally(() => holder.letGo())
      .catch((error: unknown) => {
        if (!isStopping) deps.log.error({ err: error, alarm: "ledger_check_failed" }, "the books could not be checked")
      })
    return true
  }

  return {
    start,
    idle: () => running,
    async stop() {
      isStopping = true
      await running
    },
  }
}

interface StartedCheck {
  id: string
  requestedBy: Actor | null
  startedAt: Date
}

async function recordStart(tx: Tx, { id, requestedBy, startedAt }: StartedCheck): Promise<void> {
  await insertCheck(tx, { id, startedAt, requestedBy: requestedBy?.id ?? null })
  if (requestedBy === null) return
  const entry = { actor: requestedBy, happenedAt: startedAt, entity: "ledger_check", entityId: id } as const
  await recordAudit(tx, { ...entry, action: "ledger_check.requested", before: null, after: null })
}

const keptDifferences = 100

async function checkBooks({ db, clock, log, signingKeys }: Deps, ownDb: Db, id: string): Promise<void> {
  try {
    const { postings, differences } = await verifyBooks(ownDb, { signingKeys })
    if (differences.length > 0) {
      log.error({ alarm: "ledger_differs", differences: differences.length }, "the books don't agree")
    }
    const counts = { postingCount: postings, differenceCount: differences.length }
    await finish(db, id, clock.now(), { ...counts, differences: differences.slice(0, keptDifferences), error: null })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    await finish(db, id, clock.now(), { ...noResult, error: message })
    throw error
  }
}

const noResult = { postingCount: null, differenceCount: null, differences: null }

async function finish(db: Db, id: string, now: Date, result: Parameters<typeof finishCheckRow>[3]): Promise<void> {
  await db.transaction().execute((tx) => finishCheckRow(tx, id, now, result))
}
