import type { FastifyInstance } from "fastify"
import type { Bank } from "./bank.ts"
import { valorFromCents } from "./cents.ts"
import { expiryOf } from "./pay-code.ts"
import { toPayout } from "./payout-view.ts"
import { toDevolucao } from "./refund-view.ts"
import type { Notice } from "./webhook-book.ts"

const newest = 50

/** Read access to the bank's books. */
export function bookRoutes(app: FastifyInstance, bank: Bank): void {
  app.get("/livros", async () => {
    const now = bank.clock.now()
    return {
      agora: instant(now),
      webhook: bank.webhooks.find(bank.account.receiverKey)?.url ?? null,
      cobrancas: bank.charges.newest(newest).map((charge) => ({
        txid: charge.txid,
        valor: valorFromCents(charge.amountCents),
        status: charge.status,
        descricao: charge.details.solicitacaoPagador ?? null,
        criacao: instant(charge.createdAt),
        expiraEm: instant(expiryOf(charge)),
        expirou: now >= expiryOf(charge),
        pixCopiaECola: charge.pixCode,
      })),
      recebimentos: bank.payments.newest(newest).map((payment) => ({
        endToEndId: payment.endToEndId,
        txid: payment.txid,
        valor: valorFromCents(payment.amountCents),
        horario: instant(payment.paidAt),
      })),
      envios: bank.payouts.newest(newest).map((payout) => toPayout(payout, now)),
      devolucoes: bank.refunds
        .newest(newest)
        .map((refund) => ({ endToEndId: refund.endToEndId, ...toDevolucao(refund, now) })),
      avisos: bank.webhooks.newest(newest).map((notice) => toAviso(notice)),
    }
  })
}

function toAviso({ id, body, attempts, createdAt, dueAt, settledAt, lastAnswer }: Notice) {
  return {
    id,
    corpo: body,
    tentativas: attempts,
    criacao: instant(createdAt),
    proximaTentativa: settledAt === null ? instant(dueAt) : null,
    encerramento: settledAt === null ? null : instant(settledAt),
    ultimaResposta: lastAnswer,
  }
}

function instant(moment: number): string {
  return new Date(moment).toISOString()
}
