import { feeOf } from "@tilinta/contract/vocabulary/fee"
import { type Cents, noMoney, reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError, invariant } from "#kit/errors"
import { newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { feeRevenue, sellerAvailable, suspense } from "#ledger/accounts"
import { type LedgerTransaction, type Posting, postTransactions } from "#ledger/post-transactions"
import { refuseDisputed } from "#money/disputes/blocks"
import type { Payment } from "#money/payments/reads"
import { sumReturnedOfUncredited } from "#money/refunds/reads"
import { askSecondPerson } from "#people/second-approvals/approve"
import type { SecondApproval } from "#people/second-approvals/rules"
import { findUser, getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { readSecondApprovalAboveCents } from "#platform/settings/reads"
import { lockPagesOfCharges } from "#selling/charge-pages/change"
import { readTermsOf } from "#selling/charge-pages/reads"
import { recordAcceptedCharge } from "#selling/charges/end"
import { getCharge, lockCharge } from "#selling/charges/find"
import { type Charge, noPayerData } from "#selling/charges/rules"
import { isUncredited, type UnmatchedPayment } from "./rules.ts"
import { updateUnmatchedPayment } from "./table.ts"
import { lockOpenUnmatchedPayment, unmatchedPaymentAuditOf } from "./unmatched.ts"

interface Acceptance {
  id: string
  admin: Actor
  adminNotes: string
  /** The seller to credit when no charge identifies one. */
  sellerId: string | null
}

export interface DecisionDeps {
  db: Db
  clock: Clock
  protection: Protection
}

/**
 * An uncredited payment pays the charge that it names, else a charge of its own; a credited one is only marked as
 * checked. Returns the first approval, when nothing has changed yet; null once it is decided.
 */
export async function acceptUnmatchedPayment(
  { db, clock, protection }: DecisionDeps,
  acceptance: Acceptance,
): Promise<SecondApproval | null> {
  const now = clock.now()
  return db.transaction().execute((tx) => accept(tx, acceptance, { protection, now }))
}

async function accept(
  tx: Tx,
  acceptance: Acceptance,
  { protection, now }: { protection: Protection; now: Date },
): Promise<SecondApproval | null> {
  const { unmatched, payment } = await lockOpenUnmatchedPayment(tx, acceptance.id)
  const charge = isUncredited(unmatched) ? await acceptedCharge(tx, { unmatched, payment, acceptance, now }) : null
  if (charge !== null) {
    const { admin, adminNotes } = acceptance
    const isChosen = payment.chargeId === null && charge.pageId === null
    const waits = await askAboutCredit(tx, { unmatched, admin, adminNotes, protection }, { charge, isChosen }, now)
    if (waits !== null) return waits
  }
  // A seller whom the admin chose against the suggestion gets it apart from the suggested charge.
  const isApart = payment.chargeId === null && charge?.pageId === null
  const chargeId = charge === null ? null : await recordAcceptedCharge(tx, charge, isApart)
  await updateUnmatchedPayment(tx, unmatched.id, {
    status: "accepted",
    accepted_charge_id: chargeId,
    decided_by: acceptance.admin.id,
    decided_at: now,
    admin_notes: acceptance.adminNotes,
  })
  if (charge !== null) await postTransactions(tx, [acceptedPostings(charge, now)])
  const changes = { status: "accepted", ...(charge !== null && { sellerId: charge.sellerId }) } as const
  const notes = { adminNotes: acceptance.adminNotes, acceptedChargeId: chargeId }
  await recordAudit(
    tx,
    unmatchedPaymentAuditOf("unmatched_payment.accepted", unmatched, { ...changes, ...notes }, acceptance.admin, now),
  )
  return null
}

interface Accepting {
  unmatched: UnmatchedPayment
  payment: Payment
  acceptance: Acceptance
  now: Date
}

/** The fee is that of the charge it was meant for, frozen at its creation; without such a charge, today's. */
async function acceptedCharge(tx: Tx, { unmatched, payment, acceptance, now }: Accepting): Promise<Charge> {
  await refuseDisputed(tx, payment.endToEndId)
  const returnedCents = await sumReturnedOfUncredited(tx, payment.endToEndId)
  const named = await findMeant(tx, { unmatched, payment, acceptance })
  // A suggestion rests on the whole amount.
  const meant = payment.chargeId === null && returnedCents > 0 ? null : named
  const sellerId = meant?.sellerId ?? (await chosenSeller(tx, acceptance))
  if (sellerId === acceptance.admin.id) throw new DomainError("own_unmatched_payment")
  const amountCents = subtractCents(payment.amountCents, returnedCents)
  const fee = meant?.fee ?? (await readTermsOf(tx, sellerId)).fee
  const feeCents = feeOf(fee, amountCents)
  return {
    id: newId(),
    sellerId,
    pageId: meant?.pageId ?? null,
    txid: null,
    provider: payment.provider,
    status: "paid",
    amountCents,
    fee,
    feeCents,
    netCents: subtractCents(amountCents, feeCents),
    refundedCents: noMoney,
    refundedFeeCents: noMoney,
    pageTitle: meant?.pageTitle ?? "Pagamento avulso",
    description: meant?.description ?? "Pagamento avulso",
    pixCode: null,
    openedAt: null,
    expiresAt: payment.paidAt,
    payer: meant?.payer ?? noPayerData,
    payerErasedAt: meant?.payerErasedAt ?? null,
    idempotencyKey: null,
    requestHash: null,
    endToEndId: payment.endToEndId,
    paidAt: payment.paidAt,
    isLate: false,
    isDuplicate: unmatched.reason === "charge_already_paid",
    removal: "none",
    createdAt: now,
    updatedAt: now,
  }
}

/** The charge that it names; else the suggested one, unless that is paid by now or the admin chose another seller. */
async function findMeant(tx: Tx, { unmatched, payment, acceptance }: Omit<Accepting, "now">): Promise<Charge | null> {
  if (payment.chargeId !== null) return getCharge(tx, payment.chargeId)
  if (unmatched.suggestedChargeId === null) return null
  const { pageId } = await getCharge(tx, unmatched.suggestedChargeId)
  await lockPagesOfCharges(tx, pageId === null ? [] : [pageId])
  const suggested = await lockCharge(tx, unmatched.suggestedChargeId)
  invariant(suggested !== null, `no charge ${unmatched.suggestedChargeId}`)
  const isOther = acceptance.sellerId !== null && acceptance.sellerId !== suggested.sellerId
  return suggested.paidAt !== null || isOther ? null : suggested
}

async function chosenSeller(tx: Tx, { sellerId }: Acceptance): Promise<string> {
  if (sellerId === null) throw brokenRule("sellerId", "Informe o vendedor que recebe este pagamento.")
  const seller = await findUser(tx, sellerId)
  if (seller === null) throw brokenRule("sellerId", "Vendedor não encontrado.")
  return seller.id
}

/** Booked as if it had been credited on arrival: gross in, then fee out. */
function acceptedPostings(charge: Charge, at: Date): LedgerTransaction {
  const { endToEndId, sellerId, provider, amountCents, feeCents } = charge
  invariant(endToEndId !== null, `charge ${charge.id} has no payment`)
  const seller = sellerAvailable(sellerId)
  const gross: Posting = { debit: suspense(provider), credit: seller, amountCents }
  const fee: Posting = { debit: seller, credit: feeRevenue, amountCents: feeCents }
  const postings = feeCents === 0 ? [gross] : [gross, fee]
  return { kind: "payment-accepted", reference: endToEndId, sellerId, occurredAt: at, postings }
}

interface Decision {
  unmatched: UnmatchedPayment
  admin: Actor
  adminNotes: string
  protection: Protection
}

/**
 * A seller whom an administrator picks gets money that nothing ties to them: two agree, for any amount. Where a charge names
 * the seller, only a large amount needs two. Call it under the unmatched payment's lock.
 */
async function askAboutCredit(
  tx: Tx,
  decision: Decision,
  { charge, isChosen }: { charge: Charge; isChosen: boolean },
  now: Date,
): Promise<SecondApproval | null> {
  const { unmatched, admin, protection } = decision
  const isGrave = isChosen || (await isLarge(tx, charge.amountCents))
  if (protection === "relaxed" || !isGrave) return null
  const seller = await getUser(tx, charge.sellerId)
  const changes = [
    { field: "amount", before: null, after: reaisFromCents(charge.amountCents) },
    { field: "sellerId", before: null, after: isChosen ? seller.id : null },
    { field: "seller", before: null, after: seller.name },
    { field: "email", before: null, after: seller.email },
    ...notesOf(decision),
  ]
  const about = { act: "unmatched_payment.accept", subjectId: unmatched.id, subjectName: unmatched.endToEndId } as const
  return (await askSecondPerson(tx, { ...about, changes, by: admin, protection }, now)).waits
}

/** The money goes back to the account that paid it: only a large amount needs two. */
export async function askAboutReturn(
  tx: Tx,
  decision: Decision,
  amountCents: Cents,
  now: Date,
): Promise<SecondApproval | null> {
  const { unmatched, admin, protection } = decision
  if (protection === "relaxed" || !(await isLarge(tx, amountCents))) return null
  const changes = [{ field: "amount", before: null, after: reaisFromCents(amountCents) }, ...notesOf(decision)]
  const about = { act: "unmatched_payment.return", subjectId: unmatched.id, subjectName: unmatched.endToEndId } as const
  return (await askSecondPerson(tx, { ...about, changes, by: admin, protection }, now)).waits
}

async function isLarge(tx: Tx, amountCents: Cents): Promise<boolean> {
  const aboveCents = await readSecondApprovalAboveCents(tx)
  return aboveCents !== null && amountCents > aboveCents
}

function notesOf({ adminNotes }: Decision) {
  return adminNotes === "" ? [] : [{ field: "adminNotes", before: null, after: adminNotes }]
}
