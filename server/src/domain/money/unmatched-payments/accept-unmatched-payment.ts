import { feeOf } from "@tilinta/contract/vocabulary/fee"
import { noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { refuseDisputed } from "#domain/money/disputes/refuse-disputed"
import type { Payment } from "#domain/money/payments/find-payment"
import { readReturnedOfUncredited } from "#domain/money/refunds/read-returned"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import { findUser } from "#domain/people/users/find-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { readChargeTerms } from "#domain/platform/settings/read-setting"
import type { Charge } from "#domain/selling/charges/charge"
import { getCharge } from "#domain/selling/charges/get-charge"
import { recordAcceptedCharge } from "#domain/selling/charges/record-accepted-charge"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import type { Protection } from "#kit/protection"
import { postTransactions } from "#ledger/post-transactions"
import { acceptedPostings } from "./accepted-postings.ts"
import { askAboutCredit } from "./ask-about-decision.ts"
import { lockOpenUnmatchedPayment } from "./lock-open-unmatched-payment.ts"
import { isUncredited, type UnmatchedPayment } from "./unmatched-payment.ts"
import { unmatchedPaymentAuditOf } from "./unmatched-payment-audit.ts"
import { updateUnmatchedPayment } from "./unmatched-payments-repository.ts"

interface Acceptance {
  id: string
  admin: Actor
  adminNotes: string
  /** The seller to credit when no charge identifies one. */
  sellerId: string | null
}

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/**
 * An uncredited payment is credited as a charge of its own; a credited one is only marked as checked. Returns the first
 * approval, when nothing has changed yet; null once it is decided.
 */
export async function acceptUnmatchedPayment(
  { db, clock, protection }: Deps,
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
    const isChosen = payment.chargeId === null
    const waits = await askAboutCredit(tx, { unmatched, admin, adminNotes, protection }, { charge, isChosen }, now)
    if (waits !== null) return waits
  }
  if (charge !== null) await recordAcceptedCharge(tx, charge)
  await updateUnmatchedPayment(tx, unmatched.id, {
    status: "accepted",
    accepted_charge_id: charge?.id ?? null,
    decided_by: acceptance.admin.id,
    decided_at: now,
    admin_notes: acceptance.adminNotes,
  })
  if (charge !== null) await postTransactions(tx, [acceptedPostings(charge, now)])
  const changes = { status: "accepted", ...(charge !== null && { sellerId: charge.sellerId }) } as const
  const notes = { adminNotes: acceptance.adminNotes, acceptedChargeId: charge?.id ?? null }
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
  const meant = payment.chargeId === null ? null : await getCharge(tx, payment.chargeId)
  const sellerId = meant?.sellerId ?? (await chosenSeller(tx, acceptance))
  if (sellerId === acceptance.admin.id) throw new DomainError("own_unmatched_payment")
  const amountCents = subtractCents(payment.amountCents, await readReturnedOfUncredited(tx, payment.endToEndId))
  const fee = meant?.fee ?? (await readChargeTerms(tx)).fee
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
    payer: meant?.payer ?? { name: null, email: null, cpf: null, phone: null },
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

async function chosenSeller(tx: Tx, { sellerId }: Acceptance): Promise<string> {
  if (sellerId === null) throw brokenRule("sellerId", "Informe o vendedor que recebe este pagamento.")
  const seller = await findUser(tx, sellerId)
  if (seller === null) throw brokenRule("sellerId", "Vendedor não encontrado.")
  return seller.id
}
