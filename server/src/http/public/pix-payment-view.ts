import type { PixPaymentView } from "@tilinta/contract/api/payments-endpoints"
import { listedStatusOf, payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import { type Charge, chargeStatusAt } from "#domain/selling/charges/charge"
import { receiverNameOf } from "#domain/selling/charges/check-pix-code"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { qrPng } from "#kit/qr-code"

type CodedCharge = Pick<Charge, "id" | "status" | "amountCents" | "expiresAt"> & { pixCode: string }

export function toPixPaymentView(charge: CodedCharge, payerToken: string, now: Date): PixPaymentView {
  const status = chargeStatusAt(charge, now)
  return {
    transactionId: charge.id,
    payerToken,
    pixQrCodeBase64: qrPng(charge.pixCode).toString("base64"),
    pixCode: charge.pixCode,
    amount: reaisFromCents(charge.amountCents),
    status: payerStatusOf[listedStatusOf(status)],
    expiresAt: charge.expiresAt.toISOString(),
    serverTime: now.toISOString(),
    receiverName: receiverNameOf(charge.pixCode),
  }
}
