import type { AdminTransactionView } from "@tilinta/contract/admin-transactions"
import type { TransactionView } from "@tilinta/contract/transactions"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { adminStatusOf, sellerStatusOf } from "@tilinta/contract/vocabulary/transactions"
import type { FastifyInstance } from "fastify"
import { DomainError } from "#kit/errors"
import { qrPng } from "#kit/qr-code"
import type { PayerTokens } from "#kit/secrets"
import { checkoutPath } from "#selling/charge-pages/rules"
import type { HttpDeps } from "#start/deps"
import { payableCodeOf } from "./find.ts"
import type { ListedChargeOfSeller } from "./lists.ts"
import type { OrderedCharge, VerifiedCharge } from "./rules.ts"

export function toTransactionView(charge: OrderedCharge): TransactionView {
  return { ...sharedFields(charge), status: sellerStatusOf[charge.status], metadata: sharedMetadata(charge) }
}

/** Only where it is read now: an event is told as it was then. */
export function toCountedTransactionView(charge: VerifiedCharge<OrderedCharge>): TransactionView {
  return { ...toTransactionView(charge), receiptVerifications: charge.receiptVerifications }
}

export function toAdminTransactionView(charge: ListedChargeOfSeller): AdminTransactionView {
  const { seller, status } = charge
  return {
    ...sharedFields(charge),
    status: adminStatusOf[status],
    user: { _id: seller.id, name: seller.name, email: seller.email },
    metadata: { ...sharedMetadata(charge), reason: status === "expired" ? "expired" : null },
  }
}

function sharedFields(charge: OrderedCharge) {
  return {
    _id: charge.id,
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
    paidAt: charge.paidAt?.toISOString() ?? null,
    description: charge.description,
    amount: reaisFromCents(charge.amountCents),
    grossAmount: reaisFromCents(charge.amountCents),
    fee: reaisFromCents(charge.feeCents),
    netAmount: reaisFromCents(charge.netCents),
    refundedAmount: reaisFromCents(charge.refundedCents),
    paymentMethod: "pix" as const,
    checkoutPage: { _id: charge.pageId, title: charge.pageTitle },
    customerInfo: { name: charge.payer.name ?? "" },
    customerDataErasedAt: charge.payerErasedAt?.toISOString() ?? null,
    externalReference: charge.order.externalReference,
  }
}

function sharedMetadata({ txid, endToEndId, isLate, isDuplicate, order }: OrderedCharge) {
  return { txid, endToEndId, late: isLate, duplicate: isDuplicate, order: order.metadata }
}

export function qrPath(transactionId: string, payerToken: string): string {
  return `/payment/${transactionId}/qr.png?k=${payerToken}`
}

type Deps = Pick<HttpDeps, "db" | "clock" | "payerTokens">

interface Call {
  Params: { transactionId: string }
  Querystring: { k?: unknown }
}

/** The QR code of one Pix, for the seller's own page or mail: other sites may show it, and only while it can be paid. */
export function pixQr(app: FastifyInstance, { db, clock, payerTokens }: Deps): void {
  app.get<Call>("/payment/:transactionId/qr.png", async (request, reply) => {
    requirePayer(payerTokens, request.params.transactionId, request.query.k)
    const pixCode = await payableCodeOf(db, request.params.transactionId, clock.now())
    if (pixCode === null) throw new DomainError("payment_not_found")
    reply
      .headers({ "cache-control": "private, max-age=60", "cross-origin-resource-policy": "cross-origin" })
      .type("image/png")
    return qrPng(pixCode)
  })
}

/** A payment whose token is missing or wrong counts as unknown. @throws payment_not_found */
export function requirePayer(tokens: PayerTokens, transactionId: string, sent: unknown): void {
  if (!tokens.admits(transactionId, sent)) throw new DomainError("payment_not_found")
}

interface LinkedPage {
  uniqueLink: string
  isVisible: boolean
}

/** The way back for a payer: the charge page or, where that one is hidden, their own Pix on it. */
export function chargePathOf(page: LinkedPage | null, transactionId: string, tokens: PayerTokens): string | null {
  if (page === null) return null
  if (page.isVisible) return checkoutPath(page.uniqueLink)
  return paymentPath(page.uniqueLink, transactionId, tokens.of(transactionId))
}

/** The address of one Pix, which payers without script can reload. */
export function paymentPath(link: string, transactionId: string, payerToken: string): string {
  return `${checkoutPath(link)}?pix=${transactionId}&k=${payerToken}`
}
