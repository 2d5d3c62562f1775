import { valorFromCents } from "./cents.ts"
import type { Payout } from "./payout-book.ts"

export function toPayout(payout: Payout, now: number) {
  const isSettled = now >= payout.settlesAt
  const { refusal } = payout
  return {
    idEnvio: payout.sendId,
    endToEndId: payout.endToEndId,
    e2eId: payout.endToEndId,
    valor: valorFromCents(payout.amountCents),
    status: isSettled ? (refusal === null ? "REALIZADO" : "NAO_REALIZADO") : "EM_PROCESSAMENTO",
    horario: {
      solicitacao: new Date(payout.requestedAt).toISOString(),
      ...(isSettled && { liquidacao: new Date(payout.settlesAt).toISOString() }),
    },
    favorecido: { chave: payout.payeeKey },
    ...(payout.payerNote !== null && { infoPagador: payout.payerNote }),
    ...(isSettled && refusal !== null && { gnExtras: { erro: { codigo: "AC03", motivo: refusal } } }),
  }
}
