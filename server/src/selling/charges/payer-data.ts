import type { CustomerInfoBody } from "@tilinta/contract/payments"
import { type SentField, sentFields } from "@tilinta/contract/vocabulary/payer-data"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { createPayerTokens, type PayerTokens } from "#kit/secrets"
import { countRecordsAbout } from "#platform/audit/reads"
import { recordAudit } from "#platform/audit/record"
import { notifyOwner, withdrawReceipts } from "#platform/mails/notify-owner"
import type { Mark } from "#platform/retention/retention"
import { readOn, workThrough } from "#platform/retention/retention"
import { readDays } from "#platform/settings/reads"
import {
  deleteWaiting,
  type Erasing,
  erasePayerRows,
  findNextCharges,
  findRequestedAt,
  findWithoutPayer,
  insertRequestedErasure,
  insertWaiting,
  lockWaiting,
  nameCounterPayers,
  readPayerTokenKey,
  updatePayer,
  updateWaiting,
} from "./payer-data-table.ts"
import { findChargeRow } from "./reads.ts"
import { type Charge, checkedPayerData, type PayerData } from "./rules.ts"
import { lockChargeRow } from "./table.ts"

/** Nobody corrects their name more often, and the seller is told each time. */
const most = { times: 5, windowSeconds: 86_400 }

interface HeldPayerData {
  payer: PayerData
  sellerId: string
  paidAt: Date | null
  title: string
  erasedAt: Date | null
  /** When the payer asked for the deletion that waits for something else to end. */
  requestedAt: Date | null
}

/** Callers have checked the payer's token, here and below. @throws payment_not_found */
export async function readPayerData(db: Db, chargeId: string): Promise<HeldPayerData> {
  const charge = isId(chargeId) ? await findChargeRow(db, chargeId) : null
  if (charge === null) throw new DomainError("payment_not_found")
  return {
    payer: charge.payer,
    sellerId: charge.sellerId,
    paidAt: charge.paidAt,
    title: charge.pageTitle,
    erasedAt: charge.payerErasedAt,
    requestedAt: await findRequestedAt(db, charge.id),
  }
}

/** Keeps from whom the money of a sale at the counter came, where the bank says so. */
export async function keepCounterPayers(
  db: Db,
  payments: readonly { txid: string | null; payerName?: string }[],
): Promise<void> {
  const named = payments.flatMap(({ txid, payerName }) =>
    txid === null || payerName === undefined ? [] : [{ txid, name: payerName }],
  )
  if (named.length > 0) await db.transaction().execute((tx) => nameCounterPayers(tx, named))
}

interface PayerDataRequest {
  chargeId: string
  address: string
}

type Deps = { db: Db; clock: Clock }

/** Fields that are empty stay as they are; none is added that the seller had not asked for. @throws validation_failed, too_many_requests */
export async function correctPayerData(
  deps: Deps,
  request: PayerDataRequest & { sent: CustomerInfoBody },
): Promise<void> {
  const { db, clock } = deps
  await db.transaction().execute((tx) => correct(tx, request, clock.now()))
}

async function correct(
  tx: Tx,
  { sent, ...request }: PayerDataRequest & { sent: CustomerInfoBody },
  now: Date,
): Promise<void> {
  const charge = await lockCharge(tx, request)
  await limitCorrections(tx, charge.id, now)
  const wanted = sentFields.filter((field) => charge.payer[field] !== null && (sent[field] ?? "").trim() !== "")
  const corrected = checkedPayerData(sent, wanted, "customerInfo")
  const changed = wanted.filter((field) => corrected[field] !== charge.payer[field])
  if (changed.length === 0) return
  const payer = { ...charge.payer, ...Object.fromEntries(changed.map((field) => [field, corrected[field]])) }
  await updatePayer(tx, charge.id, payer)
  await recordChange(tx, { charge, request, change: "corrected", fields: changed }, now)
}

/**
 * True when the data are gone; false when something is open, after which a job erases them. Always allowed, whatever was
 * corrected before: a second time nothing is left to do, so nobody is told twice.
 */
export async function erasePayerData({ db, clock }: Deps, request: PayerDataRequest): Promise<boolean> {
  return db.transaction().execute((tx) => eraseOrWait(tx, request, clock.now()))
}

async function eraseOrWait(tx: Tx, request: PayerDataRequest, now: Date): Promise<boolean> {
  const charge = await lockCharge(tx, request)
  const held = sentFields.filter((field) => charge.payer[field] !== null)
  if (held.length === 0) return true
  const erased = await erasePayers(tx, [charge.id], { now, quietSince: null })
  if (erased.length > 0) {
    await recordChange(tx, { charge, request, change: "erased", fields: held }, now)
    return true
  }
  const isNew = await insertRequestedErasure(tx, charge.id, { now, checkAt: secondsAfter(now, 3_600) })
  if (isNew) await recordChange(tx, { charge, request, change: "erasure_asked", fields: held }, now)
  return false
}

async function lockCharge(tx: Tx, { chargeId }: PayerDataRequest): Promise<Charge> {
  const charge = isId(chargeId) ? await lockChargeRow(tx, chargeId) : null
  if (charge === null) throw new DomainError("payment_not_found")
  return charge
}

async function limitCorrections(tx: Tx, entityId: string, now: Date): Promise<void> {
  const since = secondsAfter(now, -most.windowSeconds)
  const done = await countRecordsAbout(tx, { entity: "payer_data", entityId, since })
  if (done >= most.times) throw new DomainError("too_many_requests", { retryAfterSeconds: most.windowSeconds })
}

interface PayerDataChange {
  charge: Charge
  request: PayerDataRequest
  change: "corrected" | "erased" | "erasure_asked"
  fields: readonly SentField[]
}

/** Which fields, never what stood in them. */
async function recordChange(tx: Tx, { charge, request, change, fields }: PayerDataChange, now: Date): Promise<void> {
  await recordAudit(tx, {
    actor: null,
    whence: { address: request.address },
    happenedAt: now,
    before: null,
    action: `payer_data.${change}`,
    entity: "payer_data",
    entityId: charge.id,
    after: { chargeId: charge.id, sellerId: charge.sellerId, fields: fields.join(", ") },
  })
  const facts = { chargeId: charge.id, pageTitle: charge.pageTitle, change, fields: [...fields] }
  await notifyOwner(
    tx,
    { userId: charge.sellerId, notice: { kind: "payer_data_changed", ...facts, changedAt: now.toISOString() } },
    now,
  )
}

const BATCH = 500
const DAY = 86_400

interface Times {
  now: Date
  /** Nothing may have happened to the charge since; null where payers' data are kept for ever. */
  quietSince: Date | null
}

/**
 * Erases the data of payers some days after the last event of their charge. Reads each charge once: a mark moves through
 * their history, and those that must keep their data for now wait in a table of their own.
 */
export async function eraseOldPayerData({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  const days = await readDays(db, "PAYER_DATA_DAYS")
  const quietSince = days === null ? null : secondsAfter(now, -days * DAY)
  await workThrough(BATCH, () => db.transaction().execute((tx) => checkWaiting(tx, { now, quietSince })))
  if (quietSince === null) return
  await workThrough(BATCH, () => db.transaction().execute((tx) => passNext(tx, { now, quietSince })))
}

async function passNext(tx: Tx, times: Times & { quietSince: Date }): Promise<number> {
  return readOn(tx, "charge", (after) => erasePassed(tx, after, times))
}

/** A code lives for a day, so that nearly every charge has ended when the mark comes a day after its creation. */
async function erasePassed(tx: Tx, after: Mark, { now, quietSince }: Times & { quietSince: Date }) {
  const createdBefore = secondsAfter(quietSince, -DAY)
  const passed = await findNextCharges(tx, { after, createdBefore, limit: BATCH })
  const erased = new Set(await erasePayers(tx, passed.withPayer, { now, quietSince: quietSince }))
  const kept = passed.withPayer.filter((id) => !erased.has(id))
  await insertWaiting(tx, kept, secondsAfter(now, DAY))
  return passed
}

/** For charges whose payer asked for it, only what is open stands in the way. */
async function checkWaiting(tx: Tx, { now, quietSince }: Times): Promise<number> {
  const waiting = await lockWaiting(tx, now, BATCH)
  const ids = waiting.map(({ id }) => id)
  const requested = waiting.filter(({ isRequested }) => isRequested).map(({ id }) => id)
  const others = waiting.filter(({ isRequested }) => !isRequested).map(({ id }) => id)
  await erasePayers(tx, requested, { now, quietSince: null })
  if (quietSince !== null) await erasePayers(tx, others, { now, quietSince: quietSince })
  const done = new Set(await findWithoutPayer(tx, ids))
  await deleteWaiting(tx, [...done])
  await updateWaiting(
    tx,
    ids.filter((id) => !done.has(id)),
    secondsAfter(now, DAY),
  )
  return waiting.length
}

/** Those of the charges that are over, and what waits to be mailed to their payers. */
async function erasePayers(tx: Tx, chargeIds: readonly string[], erasing: Erasing): Promise<string[]> {
  const erased = await erasePayerRows(tx, chargeIds, erasing)
  await withdrawReceipts(tx, erased)
  return erased
}

/** Read once in a process: nodes that share a database share its tokens. */
export async function openPayerTokens({ db, protection }: { db: Db; protection: Protection }): Promise<PayerTokens> {
  return createPayerTokens(await readPayerTokenKey(db), protection)
}
