import { createPool } from "#db/pools"
import type { DatabaseRoute } from "#db/route"
import { createDb, type Db, isLockHeld, ledgerCheckLock, type Tx, takeLock } from "#db/transaction"
import { type Clock, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { countPostings, type LedgerDifference, verifyLedger } from "#ledger/reads"
import type { SignedRoot } from "#money/chain/block"
import type { SigningKeys } from "#money/chain/keys"
import { readSigned } from "#money/chain/prove"
import { type VerifiedChain, verifyChain } from "#money/chain/verify"
import { findDisputeDifferences } from "#money/disputes/list-reads"
import { findEntryDifferences } from "#money/manual-entries/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { findRefundDifferences } from "#money/refunds/verify-reads"
import { verifyReserves } from "#money/reserves/reads"
import { compareStatements } from "#money/statements/reads"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { findUserDifferences } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { findEventDifferences } from "#platform/event-log/reads"
import { findPlatformDifferences } from "#platform/totals/reads"
import { findInvoiceDifferences } from "#selling/invoices/reads"
import { findSubscriptionDifferences } from "#selling/subscriptions/reads"
import { verifySchema, verifyStates } from "./reads.ts"
import { findLatestCheck, findLatestResult, finishCheckRow, insertCheck, type LedgerCheck } from "./table.ts"

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

/** One at a time across all nodes. */
export async function requestLedgerCheck(
  { ledgerChecker }: { ledgerChecker: LedgerChecker },
  admin: Actor,
): Promise<void> {
  if (!(await ledgerChecker.start(admin))) throw new DomainError("ledger_check_running")
}

interface NightDeps {
  db: Db
  clock: Clock
  ledgerChecker: LedgerChecker
}

/** Runs once between three and five at night in São Paulo, when there are few payments. */
export async function checkLedgerAtNight({ db, clock, ledgerChecker }: NightDeps): Promise<void> {
  const now = clock.now()
  if (!isNight(now)) return
  const last = await findLatestCheck(db)
  if (last !== undefined && saoPauloDay(last.startedAt) === saoPauloDay(now) && isNight(last.startedAt)) return
  await ledgerChecker.start(null)
}

const hourFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone: "America/Sao_Paulo" })

function isNight(moment: Date): boolean {
  return ["03", "04"].includes(hourFormat.format(moment))
}

export interface LedgerCheckState {
  isRunning: boolean
  /** The last check started, whatever its outcome. */
  last: LedgerCheck | null
  /** The last check that completed. */
  result: LedgerCheck | null
}

export async function readLedgerCheckState(db: Db): Promise<LedgerCheckState> {
  const [last, result, isHeld] = await Promise.all([
    findLatestCheck(db),
    findLatestResult(db),
    isLockHeld(db, ledgerCheckLock),
  ])
  return { isRunning: isHeld && last?.finishedAt === null, last: last ?? null, result: result ?? null }
}

/** A check reads the whole history, and most of them queue behind the others first. */
const longestMs = 30 * 60_000
export const verifyingPool = {
  max: 4,
  applicationName: "tilinta verify",
  connectionMs: longestMs,
  statementMs: longestMs,
  silenceMs: longestMs,
} as const

interface VerifiedBooks {
  postings: number
  chain: Pick<VerifiedChain, "blocks" | "rows">
  differences: LedgerDifference[]
}

interface VerifyInput {
  /** Null where SECRETS_KEY isn't at hand: then the signatures of checkpoints are not checked. */
  signingKeys?: SigningKeys | null
  /** A checkpoint that was kept elsewhere. */
  kept?: readonly SignedRoot[]
  onProgress?: (done: number, all: number) => void
  /** Called when one of the checks has ended, with its name and the number of differences that it found. */
  onChecked?: (check: string, differences: number) => void
}

/** In the words of operators. */
const checks = {
  "saldos e lançamentos": verifyLedger,
  "pagamentos e cobranças": findPaymentDifferences,
  estornos: findRefundDifferences,
  contestações: findDisputeDifferences,
  saques: verifyWithdrawals,
  reservas: verifyReserves,
  "lançamentos manuais": findEntryDifferences,
  extratos: compareStatements,
  "cobranças com vencimento": findInvoiceDifferences,
  assinaturas: findSubscriptionDifferences,
  usuários: findUserDifferences,
  "totais da plataforma": findPlatformDifferences,
  "eventos numerados": findEventDifferences,
  "estado e auditoria": verifyStates,
  "gatilhos e funções": verifySchema,
} as const satisfies Record<string, (db: Db) => Promise<LedgerDifference[]>>

/**
 * Recomputes every balance and total from the postings and rows, and compares these with the chain that sealed them: for the
 * command, the nightly check and the button.
 */
export async function verifyBooks(db: Db, input: VerifyInput = {}): Promise<VerifiedBooks> {
  const [chain, ...found] = await Promise.all([
    verifySealed(db, input),
    ...Object.entries(checks).map(async ([name, check]) => reported(input, name, await check(db))),
  ])
  const { differences, blocks, rows } = chain
  return { postings: await countPostings(db), chain: { blocks, rows }, differences: [...differences, ...found.flat()] }
}

function reported({ onChecked }: VerifyInput, name: string, differences: LedgerDifference[]): LedgerDifference[] {
  onChecked?.(name, differences.length)
  return differences
}

async function verifySealed(db: Db, input: VerifyInput): Promise<VerifiedChain> {
  const { signingKeys = null, kept = [], onProgress } = input
  const signed = await readSigned(db, signingKeys)
  const checkpoints = [...signed.checkpoints, ...kept]
  const chain = await verifyChain(db, { checkpoints, ...(onProgress !== undefined && { onProgress }) })
  return { ...chain, differences: reported(input, "corrente", [...signed.differences, ...chain.differences]) }
}
