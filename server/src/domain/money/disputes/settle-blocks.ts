import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import type { Payment } from "#domain/money/payments/find-payment"
import { readReturnedOfCharge, readReturnedOfUncredited } from "#domain/money/refunds/read-returned"
import type { Charge } from "#domain/selling/charges/charge"
import type { LedgerTransaction } from "#ledger/post-transactions"
import { type Dispute, isOpen } from "./dispute.ts"
import { type Block, blocksOf } from "./dispute-blocks.ts"
import { blockPostings } from "./dispute-postings.ts"
import { lockLiveDisputes, updateDispute } from "./disputes-repository.ts"

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
  return blocksOf(paid, await readReturnedOfCharge(tx, charge.id), disputes)
}

/** Nobody can spend the money, so nothing needs to be blocked. */
async function uncreditedBlocks(tx: Tx, payment: Payment, disputes: Dispute[]): Promise<Block[]> {
  const returned = { grossCents: await readReturnedOfUncredited(tx, payment.endToEndId), feeCents: noMoney }
  const blocks = blocksOf({ grossCents: payment.amountCents, feeCents: noMoney }, returned, disputes)
  return blocks.map((block) => ({ ...block, netCents: noMoney }))
}
