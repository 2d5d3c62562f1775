import { valorFromCents } from "./cents.ts"
import type { Payout } from "./payout-book.ts"

export function toPayout(payout: Payout, now: number) {
  const isSettled = now >= payout.settlesAt
  const isBack = payout.returnsAt !== null && now >= payout.returnsAt
  const { refusal } = payout
  return {
    idEnvio: payout.sendId,
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
