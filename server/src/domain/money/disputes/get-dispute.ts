import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { readReturnedOfCharge, readReturnedOfUncredited } from "#domain/money/refunds/read-returned"
import { getCharge } from "#domain/selling/charges/get-charge"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { accountLabel } from "#ledger/account-labels"
import { readPostings } from "#ledger/read-postings"
import { type Block, blocksOf } from "./dispute-blocks.ts"
import { findListedDispute, type ListedDispute, listDisputesOfPayment } from "./dispute-lists-repository.ts"
import { disputeKinds, movementsOf } from "./dispute-movements.ts"

/** The effect on each side; a negative amount is debited. */
interface Effect {
  sellerGetsCents: Cents
  feeCents: Cents
  payerGetsCents: Cents
}

export interface DisputeDetails extends ListedDispute {
  effects: Record<"release" | "debit", Effect>
  postings: { bookedAt: Date; debit: string; credit: string; amountCents: Cents }[]
}

/** Includes the present effect of each outcome, and every posting. */
export async function getDispute(db: Db, id: string): Promise<DisputeDetails> {
  const dispute = isId(id) ? await findListedDispute(db, id) : null
  if (dispute === null) throw new DomainError("dispute_not_found")
  const [block, postings] = await Promise.all([
    readBlock(db, dispute),
    readPostings(db, [{ kinds: disputeKinds, references: movementsOf([dispute]) }]),
  ])
  return {
    ...dispute,
    effects: effectsOf(dispute, block),
    postings: postings.map(({ bookedAt, debit, credit, amountCents }) => ({
      bookedAt,
      debit: accountLabel(debit),
      credit: accountLabel(credit),
      amountCents,
    })),
  }
}

const noBlock: Block = { openCents: noMoney, netCents: noMoney }

async function readBlock(db: Db, { id, chargeId, endToEndId, payment }: ListedDispute): Promise<Block> {
  const live = (await listDisputesOfPayment(db, endToEndId)).filter(({ settledAt }) => settledAt === null).toReversed()
  const index = live.findIndex((dispute) => dispute.id === id)
  if (index < 0) return noBlock
  if (chargeId === null) {
    const returned = { grossCents: await readReturnedOfUncredited(db, endToEndId), feeCents: noMoney }
    return blocksOf({ grossCents: payment.amountCents, feeCents: noMoney }, returned, live)[index] ?? noBlock
  }
  const [charge, returned] = await Promise.all([getCharge(db, chargeId), readReturnedOfCharge(db, chargeId)])
  return blocksOf({ grossCents: charge.amountCents, feeCents: charge.feeCents }, returned, live)[index] ?? noBlock
}

function effectsOf({ blockedCents, chargeId }: ListedDispute, { openCents, netCents }: Block) {
  const isCredited = chargeId !== null
  return {
    release: { sellerGetsCents: blockedCents, feeCents: noMoney, payerGetsCents: noMoney },
    debit: {
      sellerGetsCents: isCredited ? subtractCents(noMoney, netCents) : noMoney,
      feeCents: isCredited ? subtractCents(netCents, openCents) : noMoney,
      payerGetsCents: openCents,
    },
  }
}
