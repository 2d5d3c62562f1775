import type { FastifyInstance } from "fastify"
import { DomainError } from "#kit/errors"
import { readReceiver } from "#people/shops/reads"
import { readDays } from "#platform/settings/reads"
import type { HttpDeps } from "#start/deps"
import { serveDataPages } from "./data-pages.ts"
import { correctPayerData, erasePayerData, readPayerData } from "./payer-data.ts"
import { proofPath } from "./rules.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "payerTokens" | "payersUrl">

/**
 * The page on which a payer sees, corrects and deletes their data: for whoever holds the payment's token, in relaxed
 * protection, too. The way there stands on the proof.
 */
export function payerDataRoutes(scope: FastifyInstance, deps: Deps): void {
  const { db, payerTokens } = deps
  serveDataPages(scope, deps, {
    path: "/payment/data",
    title: "Os seus dados neste pagamento",
    outcomes: {
      corrected: "Pronto: os seus dados estão corrigidos, e quem recebeu foi avisado.",
      erased: "Pronto: os seus dados foram apagados, e quem recebeu foi avisado.",
      noted: "O pedido está anotado. Apagamos assim que terminar o que está em aberto sobre este pagamento.",
    },
    admit(id, token) {
      if (!payerTokens.admits(id, token)) throw new DomainError("payment_not_found")
    },
    async read(id, token) {
      const { payer, title, ...held } = await readPayerData(db, id)
      const [receiver, days] = await Promise.all([readReceiver(db, held), readDays(db, "PAYER_DATA_DAYS")])
      return {
        ...held,
        data: payer,
        words: {
          of: `Pagamento de “${title}” a ${receiver.name}.`,
          none: "Não guardamos dados seus neste pagamento.",
          kept: "Quem vendeu pediu estes dados, e só quem vendeu e nós os vemos.",
          until:
            days === null
              ? null
              : `Sem pedido, apagamos tudo ${days === 1 ? "1 dia" : `${days} dias`} depois do último acontecimento deste pagamento.`,
          stays:
            "O valor, a data e os identificadores do Pix ficam, porque a lei manda guardar, sem dizer quem pagou. O que o seu banco informou não muda por aqui.",
        },
        back: { path: proofPath(id, token), label: "Voltar ao comprovante" },
      }
    },
    correct: (chargeId, address, sent) => correctPayerData(deps, { chargeId, address, sent }),
    erase: (chargeId, address) => erasePayerData(deps, { chargeId, address }),
  })
}
