import { valorFromCents } from "./cents.ts"
import type { Dispute } from "./dispute-book.ts"

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
