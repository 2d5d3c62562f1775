import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { DomainError } from "#kit/errors"
import type { LedgerTransaction } from "#ledger/post-transactions"
import type { Payment } from "#money/payments/reads"
import { sumLiveRefunds, sumReturnedOfUncredited } from "#money/refunds/reads"
import type { Refund } from "#money/refunds/rules"
import type { Charge } from "#selling/charges/rules"
import { hasLiveDispute } from "./reads.ts"
import { type Block, blockPostings, blocksOf, type Dispute, isOpen } from "./rules.ts"
import { lockLiveDisputes, updateDispute } from "./table.ts"

interface Disputed {
  payment: Payment
  /** Null while the payment is credited to nobody. */
  charge: Charge | null
}

/**
 * After any change of a dispute or of what is left of its payment: blocks and releases as needed, and settles disputes
 * that wait for nothing. Call it under the payment's locks. The caller books the result together with its own
 * transactions in one statement, so that ledger accounts are locked in one order.
 */
export async function settleBlocks(tx: Tx, { payment, charge }: Disputed, now: Date): Promise<LedgerTransaction[]> {
  const disputes = await lockLiveDisputes(tx, payment.endToEndId)
  if (disputes.length === 0) return []
  const blocks =
    charge === null ? await uncreditedBlocks(tx, payment, disputes) : await chargeBlocks(tx, charge, disputes)
  const moved: LedgerTransaction[] = []
  for (const [index, dispute] of disputes.entries()) {
    const posted = await settleOne(tx, dispute, blocks[index] ?? { openCents: noMoney, netCents: noMoney }, now)
    if (posted !== null) moved.push(posted)
  }
  return moved
}

/** The part of the dispute's amount that the bank may still take. */
export async function readOpenCents(tx: Tx, { payment, charge }: Disputed, { id }: Dispute): Promise<Cents> {
  const disputes = await lockLiveDisputes(tx, payment.endToEndId)
  const blocks =
    charge === null ? await uncreditedBlocks(tx, payment, disputes) : await chargeBlocks(tx, charge, disputes)
  return blocks[disputes.findIndex((dispute) => dispute.id === id)]?.openCents ?? noMoney
}

async function settleOne(tx: Tx, dispute: Dispute, block: Block, now: Date): Promise<LedgerTransaction | null> {
  const posted = blockPostings(dispute, block.netCents, now)
  const isOver = !isOpen(dispute) && block.openCents === noMoney
  if (posted === null && !isOver) return null
  await updateDispute(tx, dispute.id, {
    ...(posted !== null && { blocked_cents: block.netCents, movements: dispute.movements + 1 }),
    ...(isOver && { settled_at: now }),
    updated_at: now,
  })
  return posted
}

async function chargeBlocks(tx: Tx, charge: Charge, disputes: Dispute[]): Promise<Block[]> {
  const paid = { grossCents: charge.amountCents, feeCents: charge.feeCents }
  return blocksOf(paid, await sumLiveRefunds(tx, charge.id), disputes)
}

/** Nobody can spend the money, so nothing needs to be blocked. */
async function uncreditedBlocks(tx: Tx, payment: Payment, disputes: Dispute[]): Promise<Block[]> {
  const returned = { grossCents: await sumReturnedOfUncredited(tx, payment.endToEndId), feeCents: noMoney }
  const blocks = blocksOf({ grossCents: payment.amountCents, feeCents: noMoney }, returned, disputes)
  return blocks.map((block) => ({ ...block, netCents: noMoney }))
}

/**
 * The bank doesn't say for which dispute it takes money: chosen is the oldest with that much undebited, else the oldest
 * with any.
 */
export async function disputeOfDebit(tx: Tx, endToEndId: string, amountCents: Cents): Promise<Dispute | null> {
  const live = await lockLiveDisputes(tx, endToEndId)
  const lacks = (dispute: Dispute) => subtractCents(dispute.amountCents, dispute.debitedCents)
  return live.find((each) => lacks(each) >= amountCents) ?? live.find((each) => lacks(each) > noMoney) ?? null
}

/** Uses up the dispute's blocked amount first. Returns how much of the seller's part that covers. */
export async function payFromBlocked(tx: Tx, dispute: Dispute | null, refund: Refund, now: Date): Promise<Cents> {
  if (dispute === null) return noMoney
  const netCents = subtractCents(refund.amountCents, refund.feeCents)
  const paidCents = Math.min(dispute.blockedCents, netCents) as Cents
  await updateDispute(tx, dispute.id, {
    debited_cents: addCents(dispute.debitedCents, refund.amountCents),
    blocked_cents: subtractCents(dispute.blockedCents, paidCents),
    updated_at: now,
  })
  return paidCents
}

/** Money that the bank may take must be neither refunded nor credited. Call it under the payment's locks. */
export async function refuseDisputed(db: Db, endToEndId: string): Promise<void> {
  if (await hasLiveDispute(db, endToEndId)) throw new DomainError("payment_disputed")
}
