import { valorFromCents } from "./cents.ts"
import type { Charge } from "./charge-book.ts"
import type { Payment } from "./payment-book.ts"
import type { Refund } from "./refund-book.ts"
import { toDevolucao } from "./refund-view.ts"

export function toCob(charge: Charge) {
  const createdAt = new Date(charge.createdAt).toISOString()
  return {
    calendario: { criacao: createdAt, expiracao: charge.lifetimeSeconds },
    txid: charge.txid,
    revisao: charge.revision,
    loc: { id: charge.locationId, location: charge.location, tipoCob: "cob", criacao: createdAt, txid: charge.txid },
    location: charge.location,
    status: charge.status,
    valor: { original: valorFromCents(charge.amountCents), modalidadeAlteracao: 0 },
    chave: charge.receiverKey,
    ...charge.details,
    pixCopiaECola: charge.pixCode,
  }
}

export function toCobWithPix(charge: Charge, pix: ReturnType<typeof toPix>[]) {
  return { ...toCob(charge), ...(pix.length > 0 && { pix }) }
}

export function toPix(payment: Payment, refunds: Refund[], now: number) {
  const valor = valorFromCents(payment.amountCents)
  return {
    endToEndId: payment.endToEndId,
    ...(payment.txid !== null && { txid: payment.txid }),
    valor,
    componentesValor: { original: { valor } },
    chave: payment.receiverKey,
    horario: new Date(payment.paidAt).toISOString(),
    ...(payment.payerNote !== null && { infoPagador: payment.payerNote }),
    ...(refunds.length > 0 && { devolucoes: refunds.map((refund) => toDevolucao(refund, now)) }),
  }
}

/** Callbacks omit componentesValor. */
export function toNotifiedPix(payment: Payment, refunds: Refund[], now: number) {
  const { componentesValor: _, ...pix } = toPix(payment, refunds, now)
  return pix
}
