import { hash } from "node:crypto"
import { feeOf } from "@tilinta/contract/vocabulary/fee"
import { noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { PageToCharge } from "#domain/selling/charge-pages/find-public-charge-page"
import { secondsAfter } from "#kit/clock"
import { newId, newTxid } from "#kit/ids"
import type { AskedCharge, PayerData } from "./charge.ts"

interface Facts {
  page: Pick<PageToCharge, "id" | "sellerId" | "title" | "description" | "amountCents" | "expiresAt" | "terms">
  payer: PayerData
  provider: string
  idempotencyKey: string | null
  now: Date
}

/** A charge that neither the database nor the provider knows yet. */
export function draftCharge({ page, payer, provider, idempotencyKey, now }: Facts): AskedCharge {
  const { fee, expirationMinutes } = page.terms
  const latest = secondsAfter(now, expirationMinutes * 60)
  const feeCents = feeOf(fee, page.amountCents)
  return {
    id: newId(),
    sellerId: page.sellerId,
    pageId: page.id,
    txid: newTxid(now),
    provider,
    status: "creating",
    amountCents: page.amountCents,
    fee,
    feeCents,
    netCents: subtractCents(page.amountCents, feeCents),
    refundedCents: noMoney,
    refundedFeeCents: noMoney,
    pageTitle: page.title,
    description: page.description || page.title,
    pixCode: null,
    openedAt: null,
    expiresAt: page.expiresAt !== null && page.expiresAt < latest ? page.expiresAt : latest,
    payer,
    payerErasedAt: null,
    idempotencyKey,
    requestHash: hash("sha256", JSON.stringify([page.id, payer]), "buffer"),
    endToEndId: null,
    paidAt: null,
    isLate: false,
    isDuplicate: false,
    removal: "none",
    createdAt: now,
    updatedAt: now,
  }
}
