import type { CustomerInfoBody } from "@tilinta/contract/api/payments-endpoints"
import { type PayerField, payerFields } from "@tilinta/contract/vocabulary/payer-data"
import type { Db, Tx } from "#db/transaction"
import { countAbout } from "#domain/platform/audit/count-about"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Charge, PayerData } from "./charge.ts"
import { findChargeRow, lockChargeRow } from "./charges-repository.ts"
import { checkedPayerData } from "./checked-payer-data.ts"
import { erasePayers } from "./erase-payers.ts"
import { findAskedAt, insertAsked, updatePayer } from "./payer-data-repository.ts"

/** Nobody corrects their name more often, and the seller is told each time. */
const most = { times: 5, windowSeconds: 86_400 }

export interface HeldPayerData {
  payer: PayerData
  receiverId: string
  title: string
  erasedAt: Date | null
  /** When the payer asked for the deletion that waits for something else to end. */
  askedAt: Date | null
}

/** Callers have checked the payer's token, here and below. @throws payment_not_found */
export async function readPayerData(db: Db, chargeId: string): Promise<HeldPayerData> {
  const charge = isId(chargeId) ? await findChargeRow(db, chargeId) : null
  if (charge === null) throw new DomainError("payment_not_found")
  return {
    ...{ payer: charge.payer, receiverId: charge.sellerId, title: charge.pageTitle, erasedAt: charge.payerErasedAt },
    askedAt: await findAskedAt(db, charge.id),
  }
}

interface Wish {
  chargeId: string
  address: string
}

type Deps = { db: Db; clock: Clock }

/** Fields that are empty stay as they are; none is added that the seller had not asked for. @throws validation_failed, too_many_requests */
export async function correctPayerData(deps: Deps, wish: Wish & { sent: CustomerInfoBody }): Promise<void> {
  const { db, clock } = deps
  await db.transaction().execute((tx) => correct(tx, wish, clock.now()))
}

async function correct(tx: Tx, { sent, ...wish }: Wish & { sent: CustomerInfoBody }, now: Date): Promise<void> {
  const charge = await lockLimited(tx, wish, now)
  const wanted = payerFields.filter((field) => charge.payer[field] !== null && (sent[field] ?? "").trim() !== "")
  const corrected = checkedPayerData(sent, wanted, "customerInfo")
  const changed = wanted.filter((field) => corrected[field] !== charge.payer[field])
  if (changed.length === 0) return
  const payer = { ...charge.payer, ...Object.fromEntries(changed.map((field) => [field, corrected[field]])) }
  await updatePayer(tx, charge.id, payer)
  await note(tx, { charge, wish, change: "corrected", fields: changed }, now)
}

/** True when the data are gone; false when something is open, after which a job erases them. @throws too_many_requests */
export async function erasePayerData({ db, clock }: Deps, wish: Wish): Promise<boolean> {
  return db.transaction().execute((tx) => eraseOrNote(tx, wish, clock.now()))
}

async function eraseOrNote(tx: Tx, wish: Wish, now: Date): Promise<boolean> {
  const charge = await lockLimited(tx, wish, now)
  const held = payerFields.filter((field) => charge.payer[field] !== null)
  if (held.length === 0) return true
  const erased = await erasePayers(tx, [charge.id], { now, lastNewsBefore: null })
  if (erased.length > 0) {
    await note(tx, { charge, wish, change: "erased", fields: held }, now)
    return true
  }
  const isNew = await insertAsked(tx, charge.id, { now, lookAt: secondsAfter(now, 3_600) })
  if (isNew) await note(tx, { charge, wish, change: "erasure_asked", fields: held }, now)
  return false
}

async function lockLimited(tx: Tx, { chargeId }: Wish, now: Date): Promise<Charge> {
  const charge = isId(chargeId) ? await lockChargeRow(tx, chargeId) : null
  if (charge === null) throw new DomainError("payment_not_found")
  const since = secondsAfter(now, -most.windowSeconds)
  const done = await countAbout(tx, { entity: "payer_data", entityId: chargeId, since })
  if (done >= most.times) throw new DomainError("too_many_requests", { retryAfterSeconds: most.windowSeconds })
  return charge
}

interface Noted {
  charge: Charge
  wish: Wish
  change: "corrected" | "erased" | "erasure_asked"
  fields: readonly PayerField[]
}

/** Which fields, never what stood in them. */
async function note(tx: Tx, { charge, wish, change, fields }: Noted, now: Date): Promise<void> {
  await recordAudit(tx, {
    ...{ actor: null, whence: { address: wish.address }, happenedAt: now, before: null },
    ...{ action: `payer_data.${change}`, entity: "payer_data", entityId: charge.id },
    after: { chargeId: charge.id, sellerId: charge.sellerId, fields: fields.join(", ") },
  })
  const facts = { chargeId: charge.id, pageTitle: charge.pageTitle, change, fields: [...fields] }
  await tellOwner(
    tx,
    { userId: charge.sellerId, notice: { kind: "payer_data_changed", ...facts, changedAt: now.toISOString() } },
    now,
  )
}
