import type { Tx } from "#db/transaction"
import { daysAfter, saoPauloDay, saoPauloHour, secondsAfter, type Times, timesOf } from "#kit/clock"
import { isDebitTxid } from "#kit/ids"
import { latestTime, type PaymentReceived, type PspAutomatic, type PspDebit, PspError, provenTimes } from "#psp/psp"
import { findInvoices } from "#selling/invoices/reads"
import { type BankDeps, endUnasked } from "./ask.ts"
import {
  createDebit,
  dropRetry,
  giveUpDebit,
  holdForRetry,
  learnOfDebit,
  lockDebit,
  nextAskOf,
  wantDebitCancelled,
} from "./debits.ts"
import type { Notifying } from "./mails.ts"
import {
  findCyclesToDebit,
  findDebitsToCancel,
  findUnaskedDebits,
  getDebit,
  getMandate,
  isAutomaticOn,
} from "./reads.ts"
import { type Debit, firstDueDayOf, isRetryMissed, isRetryToSend, isSendable, lastSendingOf } from "./rules.ts"
import { claimDebits, hurryDebitRow, markMandatesOfEndedToCancel, setDebitAskAt } from "./table.ts"

type Deps = BankDeps & {
  /** Money stands above: it books what a debit brought. */
  book(payments: PaymentReceived[]): Promise<void>
}

const BATCH = 100
const AT_ONCE = 8
const LEASE_SECONDS = 60
/** The bank's own limit, on the day before. */
const BANK_CUT_OFF_HOUR = 22
const UNANSWERED_SECONDS = 86_400
const PAUSE_SECONDS = 60

/** Both days must be proven: a clock that is ahead sends nothing early, one that is behind nothing late. */
function earlyAndLate(deps: Pick<BankDeps, "psp" | "clock">): { early: Times; late: Pick<Times, "due"> } {
  const early = provenTimes(deps)
  // The sandbox's bank is ahead by as much as our days are, which must not count twice.
  const latest = latestTime(deps)
  return { early, late: { due: latest > early.due ? latest : early.due } }
}

/** Makes the debits of the cycles, and calls off those that may not be. It reads all that is under way; `runDebits` what is due. */
export async function planDebits(deps: BankDeps): Promise<void> {
  await giveUpUnasked(deps)
  await endUnasked(deps)
  if (deps.psp.automatic === null) return
  const isOn = await isAutomaticOn(deps.db, deps.psp)
  await deps.db.transaction().execute((tx) => markMandatesOfEndedToCancel(tx, deps.clock.now()))
  await callOff(deps, isOn)
  if (isOn) await createDebits(deps)
}

/** A bank that isn't asked any more tells no end. What it debits all the same is booked whenever it comes. */
async function giveUpUnasked(deps: BankDeps): Promise<void> {
  const today = saoPauloDay(earlyAndLate(deps).early.due)
  const provider = deps.psp.automatic === null ? null : deps.psp.name
  for (;;) {
    const past = { provider, today, dueBefore: firstDueDayOf(today), atMost: BATCH }
    const found = await findUnaskedDebits(deps.db, past)
    for (const { id, isCalledOff } of found) await giveUp(deps, { id }, isCalledOff ? "cancelled" : "failed")
    if (found.length < BATCH) return
  }
}

/** A hint proves nothing: the bank is asked soon. */
export async function hurryDebit({ db, clock }: Pick<BankDeps, "db" | "clock">, txid: string): Promise<void> {
  if (isDebitTxid(txid)) await db.transaction().execute((tx) => hurryDebitRow(tx, txid, clock.now()))
}

async function callOff(deps: BankDeps, isOn: boolean): Promise<void> {
  const { late } = earlyAndLate(deps)
  const today = saoPauloDay(late.due)
  const from = firstDueDayOf(daysAfter(today, saoPauloHour(late.due) < BANK_CUT_OFF_HOUR ? 1 : 2))
  for (;;) {
    const found = await findDebitsToCancel(deps.db, { provider: deps.psp.name, isOn, from, atMost: BATCH })
    for (const { id } of found) await deps.db.transaction().execute((tx) => wantLocked(tx, id, notifyingOf(deps)))
    if (found.length < BATCH) return
  }
}

async function wantLocked(tx: Tx, id: string, notifying: Notifying): Promise<void> {
  await wantDebitCancelled(tx, await lockDebit(tx, id), notifying)
}

async function createDebits(deps: BankDeps): Promise<void> {
  const { early, late } = earlyAndLate(deps)
  const range = {
    from: daysAfter(saoPauloDay(late.due), 3),
    to: daysAfter(firstDueDayOf(daysAfter(saoPauloDay(early.due), 8)), -1),
  }
  for (;;) {
    const cycles = await findCyclesToDebit(deps.db, { provider: deps.psp.name, ...range, atMost: BATCH })
    let created = 0
    for (const cycle of cycles) {
      created += await deps.db.transaction().execute((tx) => createDebit(tx, cycle, deps.payersUrl, early))
    }
    // A cycle that may not be debited after all is found again in a minute.
    if (cycles.length < BATCH || created === 0) return
  }
}

/** Asks the bank about the debits whose turn it is. */
export async function runDebits(deps: Deps): Promise<void> {
  const { automatic } = deps.psp
  if (automatic === null) return
  for (;;) {
    const now = deps.clock.now()
    const claim = { provider: deps.psp.name, now, until: secondsAfter(now, LEASE_SECONDS), atMost: AT_ONCE }
    const ids = await deps.db.transaction().execute((tx) => claimDebits(tx, claim))
    await Promise.all(ids.map((id) => askUnlessSilent(deps, automatic, id)))
    if (ids.length < AT_ONCE) return
  }
}

async function askUnlessSilent(deps: Deps, automatic: PspAutomatic, id: string): Promise<void> {
  try {
    await ask(deps, automatic, await getDebit(deps.db, id))
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    deps.log.warn({ err: error, debitId: id }, "the bank didn't answer about a debit, or refused")
  }
}

async function ask(deps: Deps, automatic: PspAutomatic, debit: Debit): Promise<void> {
  if (debit.endedAt !== null) return
  if (debit.cancelSince !== null) return cancel(deps, automatic, debit)
  if (!debit.isSent) return send(deps, automatic, debit)
  if (debit.status === "failed" && debit.retryDay !== null) return retry(deps, automatic, debit, debit.retryDay)
  await learn(deps, debit, await automatic.findDebit(debit.txid))
}

/** Under its own txid, however often: the bank makes it once. */
async function send(deps: Deps, automatic: PspAutomatic, debit: Debit): Promise<void> {
  const { early, late } = earlyAndLate(deps)
  const { txid, amountCents, dueDay } = debit
  if (late.due >= lastSendingOf(dueDay)) {
    const found = await automatic.findDebit(txid)
    if (found !== null) return learn(deps, debit, found)
    deps.log.error(
      { alarm: "debit_window_missed", debitId: debit.id },
      "a debit could not be sent in time: its cycle goes by link",
    )
    return giveUp(deps, debit, "cancelled")
  }
  if (!isSendable(dueDay, early.due)) return askLater(deps, debit)
  const mandate = await getMandate(deps.db, debit.mandateId)
  const [invoice] = await findInvoices(deps.db, [debit.invoiceId])
  const recurrenceId = mandate.recurrenceId ?? ""
  try {
    const description = invoice?.description ?? ""
    await learn(deps, debit, await automatic.createDebit({ txid, recurrenceId, amountCents, dueDay, description }))
  } catch (error) {
    if (!(error instanceof PspError && error.failure === "rejected")) throw error
    deps.log.error(
      { err: error, alarm: "debit_refused", debitId: debit.id },
      "the bank refuses a debit: its cycle goes by link",
    )
    await giveUp(deps, debit, "failed")
  }
}

async function cancel(deps: Deps, automatic: PspAutomatic, debit: Debit): Promise<void> {
  const outcome = await automatic.cancelDebit(debit.txid)
  if (outcome === "cancelled") return giveUp(deps, debit, "cancelled")
  // A call that creates it may still be on its way.
  const isSettled = deps.clock.now() >= secondsAfter(debit.updatedAt, PAUSE_SECONDS)
  if (outcome === "absent") return isSettled ? giveUp(deps, debit, "cancelled") : askLater(deps, debit)
  await learn(deps, debit, await automatic.findDebit(debit.txid))
}

async function retry(deps: Deps, automatic: PspAutomatic, debit: Debit, day: string): Promise<void> {
  const { early, late } = earlyAndLate(deps)
  const found = debit.retrySentAt === null ? null : await automatic.findDebit(debit.txid)
  if (found?.attempts.some((attempt) => attempt.day === day)) return learn(deps, debit, found)
  const notifying = { payersUrl: deps.payersUrl, times: early }
  if (isRetryMissed(day, late.due)) return deps.db.transaction().execute((tx) => dropRetry(tx, debit.id, notifying))
  if (!isRetryToSend(day, early.due) || !isRetryToSend(day, late.due)) return askLater(deps, debit)
  if (!(await deps.db.transaction().execute((tx) => holdForRetry(tx, debit.id, early)))) return askLater(deps, debit)
  try {
    await learn(deps, debit, await automatic.retryDebit(debit.txid, day))
  } catch (error) {
    if (!(error instanceof PspError && error.failure === "rejected")) throw error
    deps.log.warn({ err: error, debitId: debit.id }, "the bank refuses another attempt")
    await giveUp(deps, debit, "failed")
  }
}

function notifyingOf({ payersUrl, clock }: BankDeps): Notifying {
  return { payersUrl, times: timesOf(clock) }
}

async function giveUp(deps: BankDeps, { id }: Pick<Debit, "id">, status: "cancelled" | "failed"): Promise<void> {
  await deps.db.transaction().execute((tx) => giveUpLocked(tx, id, status, notifyingOf(deps)))
}

async function giveUpLocked(tx: Tx, id: string, status: "cancelled" | "failed", notifying: Notifying): Promise<void> {
  await giveUpDebit(tx, await lockDebit(tx, id), status, notifying)
}

/** Its money is booked first: by that alone it is paid. */
async function learn(deps: Deps, debit: Debit, found: PspDebit | null): Promise<void> {
  const { early } = earlyAndLate(deps)
  if (found === null) {
    deps.log.error({ alarm: "debit_unknown", debitId: debit.id }, "the bank doesn't know a debit that it had")
    return askLater(deps, debit)
  }
  if (found.amountCents !== null && found.amountCents !== debit.amountCents) {
    deps.log.error({ alarm: "debit_mismatch", debitId: debit.id }, "the bank's debit has another amount")
  }
  const receipts = await receiptsOf(deps, found)
  if (receipts.length > 0) await deps.book(receipts)
  const ofUs = await deps.db
    .transaction()
    .execute((tx) => learnOfDebit(tx, debit.id, { found, payersUrl: deps.payersUrl }, early))
  if (ofUs !== null)
    deps.log.error(
      { alarm: "debit_failed_by_us", debitId: debit.id, code: ofUs },
      "a debit failed by a mistake of ours",
    )
  const after = await getDebit(deps.db, debit.id)
  if (after.endedAt !== null) return
  if (found.state === "paid") {
    deps.log.error(
      { alarm: "debit_without_receipt", debitId: debit.id },
      "the bank calls a debit paid, and tells no receipt",
    )
  }
  const isOld = deps.clock.now() >= secondsAfter(debit.createdAt, UNANSWERED_SECONDS)
  if (isOld && after.status === "created") {
    deps.log.error({ alarm: "debit_unanswered", debitId: debit.id }, "the payer's bank hasn't taken a debit for a day")
  }
  await askLater(deps, after)
}

/** Some banks tell the payment of a debit only by its own id. */
async function receiptsOf({ psp }: Deps, { receipts, attempts }: PspDebit): Promise<PaymentReceived[]> {
  if (receipts.length > 0) return receipts
  const ids = attempts.flatMap(({ state, endToEndId }) => (state === "paid" && endToEndId !== null ? [endToEndId] : []))
  const found = await Promise.all(ids.map((endToEndId) => psp.findReceipt(endToEndId)))
  return found.filter((receipt) => receipt !== null)
}

async function askLater({ db, clock }: Deps, debit: Debit): Promise<void> {
  await db.transaction().execute((tx) => setDebitAskAt(tx, debit.id, nextAskOf(debit, timesOf(clock))))
}
