import { type Cents, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { type Psp, PspError, provenTime } from "#psp/psp"
import { alarmOfBalance, notifyAdminsOfBalance } from "./daily-close.ts"
import { findBankBalances, findClose, listOpenBalances, readOurMoney, readOurMoneyOn } from "./reads.ts"
import {
  type BankBalance,
  boundsOf,
  type CloseDeps,
  compareAgain,
  type DailyClose,
  isComparedAgain,
  RECHECK_SECONDS,
  unexplainedCents,
} from "./rules.ts"
import { lockClose, saveBankBalance, updateClose } from "./table.ts"

/** A payment whose webhook was lost is booked half a minute after the bank credited it. */
const BOOKED_WITHIN_SECONDS = 60

/** Our account and the bank's, as of now; null where the provider does not tell its balance, or doesn't answer. */
export async function readBankBalance(deps: CloseDeps): Promise<BankBalance | null> {
  const { db, psp, log } = deps
  if (psp.readBalance === null) return null
  try {
    const before = await readOurMoney(db, psp.name)
    const bankCents = await psp.readBalance()
    const after = await readOurMoney(db, psp.name)
    const at = provenTime(deps)
    const differenceCents = unexplainedCents(bankCents, [before, after])
    const readAgainUntil = differenceCents === noMoney ? null : secondsAfter(at, BOOKED_WITHIN_SECONDS)
    return { at, bankCents, ourCents: after.clearingCents, differenceCents, typedBy: null, readAgainUntil }
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    log.warn({ err: error }, "the bank did not tell its balance")
    return null
  }
}

interface TypeBalanceInput {
  id: string
  admin: Actor
  bankCents: Cents
}

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

/** The bank's own statement at the day's end, where its API tells no balance. A new figure replaces the one before. */
export async function typeBankBalance(deps: Deps, input: TypeBalanceInput): Promise<void> {
  const { db, psp, log } = deps
  const now = provenTime(deps)
  const bank = { name: psp.name, label: psp.label }
  const typed = await db.transaction().execute((tx) => type(tx, input, { now, bank }))
  if (typed.balance.differenceCents !== noMoney) alarmOfBalance(log, typed)
}

async function type(
  tx: Tx,
  { id, admin, bankCents }: TypeBalanceInput,
  { now, bank }: { now: Date; bank: Pick<Psp, "name" | "label"> },
): Promise<{ close: DailyClose; balance: BankBalance }> {
  const close = isId(id) ? await lockClose(tx, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const { day, provider } = close
  const { to } = boundsOf(day)
  if (to > now) throw new DomainError("daily_close_too_early")
  const ours = await readOurMoneyOn(tx, provider, day)
  const before = (await findBankBalances(tx, [id])).get(id)
  const differenceCents = unexplainedCents(bankCents, [ours])
  const figures = { at: to, bankCents, ourCents: ours.clearingCents, differenceCents }
  const balance = { ...figures, typedBy: admin.id, readAgainUntil: null }
  await saveBankBalance(tx, id, balance)
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "daily_close.balance_typed",
    entity: "daily_close",
    entityId: id,
    before: before === undefined ? null : factsOf(before),
    after: { day, provider, bank: reaisFromCents(bankCents), difference: reaisFromCents(differenceCents) },
  })
  const providerLabel = provider === bank.name ? bank.label : provider
  if (differenceCents !== noMoney) await notifyAdminsOfBalance(tx, { close, balance }, { providerLabel, now })
  return { close, balance }
}

function factsOf({ bankCents, differenceCents }: BankBalance) {
  return { bank: reaisFromCents(bankCents), difference: reaisFromCents(differenceCents) }
}

interface Comparison {
  closeId: string
  /** The bank's figure of now; null to keep the one that we have. */
  fresh: BankBalance | null
  providerLabel: string
  now: Date
}

/**
 * Compares a bank's figure that differed again at each run, for a minute: the job waits for nothing meanwhile. Money
 * that the bank has and we haven't is waited for, as payments are booked after the bank credited them, and under steady
 * traffic each new figure would have some of it. Money that we have and the bank hasn't is asked about anew.
 */
export async function settleBankBalances(deps: CloseDeps): Promise<void> {
  const { db, psp, log } = deps
  for (const [closeId, { differenceCents }] of await listOpenBalances(db)) {
    const provider = (await findClose(db, closeId))?.provider
    const isQueried = provider === psp.name && differenceCents < noMoney
    const fresh = isQueried ? await readBankBalance(deps) : null
    const comparison = { closeId, fresh, providerLabel: labelOf(deps, provider ?? ""), now: provenTime(deps) }
    const settled = await db.transaction().execute((tx) => settle(tx, comparison))
    if (settled !== null) alarmOfBalance(log, settled)
  }
}

function labelOf({ psp }: CloseDeps, provider: string): string {
  return provider === psp.name ? psp.label : provider
}

/** The day whose balance differs for good; null while that is open, or once both agree. */
async function settle(
  tx: Tx,
  { closeId, fresh, providerLabel, now }: Comparison,
): Promise<{ close: DailyClose; balance: BankBalance } | null> {
  const close = await lockClose(tx, closeId)
  const before = (await findBankBalances(tx, [closeId])).get(closeId)
  if (close === null || before === undefined || before.readAgainUntil === null) return null
  const after = fresh ?? (await compareLater(tx, before, close.provider))
  const isFinal = after.differenceCents === noMoney || before.readAgainUntil <= now
  const balance = { ...after, readAgainUntil: isFinal ? null : before.readAgainUntil }
  await saveBankBalance(tx, closeId, balance)
  if (balance.readAgainUntil !== null || balance.differenceCents === noMoney) return null
  if (close.nextAttemptAt === null && isComparedAgain(close)) {
    await updateClose(tx, closeId, { next_attempt_at: secondsAfter(now, RECHECK_SECONDS) })
  }
  await notifyAdminsOfBalance(tx, { close, balance }, { providerLabel, now })
  return { close, balance }
}

/** More money of ours than the bank's can't be explained by what leaves later. */
async function compareLater(db: Db, balance: BankBalance, provider: string): Promise<BankBalance> {
  return balance.differenceCents < noMoney ? balance : compareAgain(balance, await readOurMoney(db, provider))
}
