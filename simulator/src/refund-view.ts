import { valorFromCents } from "./cents.ts"
import type { Refund } from "./refund-book.ts"

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
