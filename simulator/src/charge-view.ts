import { valorFromCents } from "./cents.ts"
import type { Charge } from "./charge-book.ts"
import type { Payment } from "./payment-book.ts"

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

export function toCobWithPix(charge: Charge, payments: Payment[]) {
  return { ...toCob(charge), ...(payments.length > 0 && { pix: payments.map(toPix) }) }
}

export function toPix(payment: Payment) {
  const valor = valorFromCents(payment.amountCents)
  return {
    endToEndId: payment.endToEndId,
    ...(payment.txid !== null && { txid: payment.txid }),
    valor,
    componentesValor: { original: { valor } },
    chave: payment.receiverKey,
    horario: new Date(payment.paidAt).toISOString(),
    ...(payment.payerNote !== null && { infoPagador: payment.payerNote }),
  }
}

/** Callbacks carry no componentesValor. */
export function toWebhookBody(payment: Payment): string {
  const { componentesValor: _, ...pix } = toPix(payment)
  return JSON.stringify({ pix: [pix] })
}
