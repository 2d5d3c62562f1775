import { randomInt } from "node:crypto"
import { randomAlphanumerics, valorFromCents } from "./books.ts"
import type { Charge, Payment } from "./charge-books.ts"
import type { Payout } from "./payout-books.ts"
import type { Dispute, Refund } from "./refund-books.ts"

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

export function toCobWithPix(charge: Charge, pix: object[]) {
  return { ...toCob(charge), ...(pix.length > 0 && { pix }) }
}

type Parts = Record<"original" | "abatement" | "discount" | "fine" | "interest", number>

/** Those of a charge with a due day; of others the amount is the original. */
function componentsOf({ original, abatement, discount, fine, interest }: Parts) {
  const part = (cents: number) => ({ valor: valorFromCents(cents) })
  return {
    original: part(original),
    ...(abatement > 0 && { abatimento: part(abatement) }),
    ...(discount > 0 && { desconto: part(discount) }),
    ...(fine > 0 && { multa: part(fine) }),
    ...(interest > 0 && { juros: part(interest) }),
  }
}

export function toPix(payment: Payment, refunds: Refund[], now: number, parts?: Parts) {
  const valor = valorFromCents(payment.amountCents)
  return {
    endToEndId: payment.endToEndId,
    ...(payment.txid !== null && { txid: payment.txid }),
    valor,
    componentesValor: componentsOf(
      parts ?? { original: payment.amountCents, abatement: 0, discount: 0, fine: 0, interest: 0 },
    ),
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

export function toDevolucao(refund: Refund, now: number) {
  const isSettled = now >= refund.settlesAt
  const { refusal } = refund
  return {
    id: refund.refundId,
    rtrId: refund.returnId,
    valor: valorFromCents(refund.amountCents),
    natureza: refund.nature,
    ...(refund.payerNote !== null && { descricao: refund.payerNote }),
    horario: {
      solicitacao: new Date(refund.requestedAt).toISOString(),
      ...(isSettled && refusal === null && { liquidacao: new Date(refund.settlesAt).toISOString() }),
    },
    status: isSettled ? (refusal === null ? "DEVOLVIDO" : "NAO_REALIZADO") : "EM_PROCESSAMENTO",
    ...(isSettled && refusal !== null && { motivo: refusal }),
  }
}

/** Begins the names of payouts that were made in the bank's app: those have no idEnvio. */
export const madeInApp = "app/"

export function toPayout(payout: Payout, now: number) {
  const isSettled = now >= payout.settlesAt
  const isBack = payout.returnsAt !== null && now >= payout.returnsAt
  const { refusal } = payout
  return {
    ...(!payout.sendId.startsWith(madeInApp) && { idEnvio: payout.sendId }),
    endToEndId: payout.endToEndId,
    e2eId: payout.endToEndId,
    valor: valorFromCents(payout.amountCents),
    status: statusOf(payout, { isSettled, isBack }),
    horario: {
      solicitacao: new Date(payout.requestedAt).toISOString(),
      ...(isSettled && { liquidacao: new Date(payout.settlesAt).toISOString() }),
    },
    favorecido: { chave: payout.payeeKey },
    ...(payout.payerNote !== null && { infoPagador: payout.payerNote }),
    ...(isBack && { devolucoes: [returnOf(payout)] }),
    ...(isSettled && refusal !== null && { gnExtras: { erro: { codigo: "AC03", motivo: refusal } } }),
  }
}

function statusOf(payout: Payout, { isSettled, isBack }: { isSettled: boolean; isBack: boolean }) {
  if (!isSettled) return "EM_PROCESSAMENTO"
  if (payout.refusal !== null) return "NAO_REALIZADO"
  return isBack && payout.returnedCents === payout.amountCents ? "DEVOLVIDO" : "REALIZADO"
}

function returnOf({ returnId, returnedCents, returnsAt }: Payout) {
  const moment = new Date(returnsAt ?? 0).toISOString()
  return {
    id: returnId,
    rtrId: returnId,
    valor: valorFromCents(returnedCents ?? 0),
    horario: { solicitacao: moment, liquidacao: moment },
    status: "DEVOLVIDO",
  }
}

export function toInfracao(dispute: Dispute) {
  const { comment, defence, analysis, defendedAt, closedAt } = dispute
  return {
    idInfracao: dispute.disputeId,
    endToEndId: dispute.endToEndId,
    valor: valorFromCents(dispute.amountCents),
    status: dispute.status,
    razao: "Solicitação de devolução",
    tipoSituacao: dispute.situation,
    ...(comment !== null && { comentario: comment }),
    ...(defence !== null && { defesa: defence }),
    ...(analysis !== null && { justificativaAnalista: analysis }),
    dadosAnalise: {
      abertura: instant(dispute.openedAt),
      prazoFinalizacao: instant(dispute.respondUntil),
      ...(defendedAt !== null && { recebimentoDefesa: instant(defendedAt) }),
      ...(closedAt !== null && { finalizacao: instant(closedAt) }),
    },
    criadoEm: instant(dispute.openedAt),
    atualizadoEm: instant(dispute.updatedAt),
  }
}

function instant(moment: number): string {
  return new Date(moment).toISOString()
}

/** An ISPB that no bank has: the payer's bank is as fictitious as the payer. Now and then one of the new ones, with letters. */
const payerIspb = () => (randomInt(10) === 0 ? "9A9B9C99" : "99999999")

/** E + ISPB + yyyyMMddHHmm in UTC + 11 alphanumerics = 32 characters. */
export function newEndToEndId(paidAt: number): string {
  return `E${payerIspb()}${minuteOf(paidAt)}${randomAlphanumerics(11)}`
}

/** The id of a return: the same format with a D. */
export function newReturnId(requestedAt: number): string {
  return `D${payerIspb()}${minuteOf(requestedAt)}${randomAlphanumerics(11)}`
}

function minuteOf(moment: number): string {
  return new Date(moment).toISOString().replace(/\D/g, "").slice(0, 12)
}
