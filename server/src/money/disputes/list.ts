import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { accountLabel } from "#ledger/accounts"
import { readPostings } from "#ledger/reads"
import { readSellerBlocked } from "#money/payments/reads"
import { sumLiveRefunds, sumReturnedOfUncredited } from "#money/refunds/reads"
import type { Actor, AuditEntry } from "#platform/audit/rules"
import { getCharge, getSellersCharge } from "#selling/charges/find"
import {
  type DisputeFilter,
  type DisputeTotals,
  findListedDispute,
  type ListedDispute,
  listDisputeRows,
  listDisputesOfPayment,
  listLiveOfSeller,
  readDisputeTotals,
} from "./list-reads.ts"
import { type Block, blocksOf, type Dispute, disputeKinds, movementsOf } from "./rules.ts"

type Action =
  | "dispute.opened"
  | "dispute.changed"
  | "dispute.closed"
  | "dispute.registered"
  | "dispute.released"
  | "dispute.debited"
  | "dispute.defended"

/** A null actor stands for the platform, acting on the provider's report. */
export function disputeAuditOf(
  action: Action,
  before: Dispute | null,
  after: Dispute,
  actor: Actor | null,
  happenedAt: Date,
): AuditEntry {
  return {
    actor,
    happenedAt,
    action,
    entity: "dispute",
    entityId: after.id,
    before: before === null ? null : recorded(before),
    after: recorded(after),
  }
}

function recorded({
  state,
  endToEndId,
  chargeId,
  sellerId,
  amountCents,
  blockedCents,
  debitedCents,
  ...rest
}: Dispute) {
  const { reason, defenceState, adminNotes } = rest
  return {
    status: state,
    endToEndId,
    chargeId,
    sellerId,
    amountCents,
    blockedCents,
    debitedCents,
    reason,
    defenceState,
    adminNotes,
  }
}

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
    const returned = { grossCents: await sumReturnedOfUncredited(db, endToEndId), feeCents: noMoney }
    return blocksOf({ grossCents: payment.amountCents, feeCents: noMoney }, returned, live)[index] ?? noBlock
  }
  const [charge, returned] = await Promise.all([getCharge(db, chargeId), sumLiveRefunds(db, chargeId)])
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

/** For admins, with totals of everything that the filter selects. */
export async function listDisputes(
  db: Db,
  filter: DisputeFilter,
  range: { offset: number; limit: number },
): Promise<{ disputes: ListedDispute[]; totals: DisputeTotals[] }> {
  const [disputes, totals] = await Promise.all([listDisputeRows(db, filter, range), readDisputeTotals(db, filter)])
  return { disputes, totals }
}

/** Undecided disputes, and the amount that they block. */
export async function listSellersDisputes(
  db: Db,
  sellerId: string,
): Promise<{ disputes: ListedDispute[]; blockedCents: Cents }> {
  const [disputes, blockedCents] = await Promise.all([listLiveOfSeller(db, sellerId), readSellerBlocked(db, sellerId)])
  return { disputes, blockedCents }
}

/** Disputes of one transaction; sellers see only their own. */
export async function listDisputesOfCharge(
  db: Db,
  chargeId: string,
  sellerId: string | null,
): Promise<ListedDispute[]> {
  const charge = sellerId === null ? await getCharge(db, chargeId) : await getSellersCharge(db, chargeId, sellerId)
  return charge.endToEndId === null ? [] : listDisputesOfPayment(db, charge.endToEndId)
}
