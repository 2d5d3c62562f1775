import * as z from "zod/mini"
import { adminWithdrawalView } from "./admin-withdrawals.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { fileTypes } from "./vocabulary/files.ts"

const tag = "Administração: saques"
const choose = "Escolha os saques da remessa."
const REMITTANCE_MAX = 200

export const createRemittanceEndpoint = defineEndpoint("createRemittance", heads.createRemittance, {
  audience: "admin",
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary:
    "A remessa CNAB 240 (leiaute da FEBRABAN, sem o que cada banco muda nele; segmentos A e B) de saques aprovados que se pagam no banco: Pix por chave ou TED. Cada número de sequência é escrito uma vez, e o que está nela ninguém mais paga até o retorno do banco",
  body: z.object({
    ids: z
      .array(text(200), choose)
      .check(
        z.minLength(1, choose),
        z.maxLength(REMITTANCE_MAX, `Ponha no máximo ${REMITTANCE_MAX} saques numa remessa.`),
      ),
    kind: z.enum(["pix", "ted"], "Escolha pix ou ted."),
  }),
  reply: { status: 200, file: [fileTypes.rem] },
})

export const getRemittanceEndpoint = defineEndpoint("getRemittance", heads.getRemittance, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "O arquivo de uma remessa que já foi feita, tal como foi escrito, por trinta dias",
  params: z.object({ sequence: z.string().check(z.regex(/^\d{1,6}$/, "Informe o número da remessa.")) }),
  reply: { status: 200, file: [fileTypes.rem] },
})

export const readRemittanceReturnEndpoint = defineEndpoint("readRemittanceReturn", heads.readRemittanceReturn, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Lê o retorno do banco, que é o próprio corpo, e faz o que ele diz pelas ocorrências da FEBRABAN: pago, recusado (o saque volta a esperar pagamento) ou devolvido ao saldo. Outra ocorrência não decide nada. O mesmo arquivo outra vez não muda nada",
  bodyFile: ["text/plain"],
  reply: {
    status: 200,
    schema: success(
      z.object({
        entries: z.array(
          z.object({
            withdrawalId: z.nullable(id),
            /** 'unknown': no remittance has such a line, or not with this amount. */
            outcome: z.enum(["paid", "accepted", "refused", "returned", "unknown"]),
            /** Why the bank refused it, or why it was not done as the bank says; of an unknown occurrence, which. */
            reason: z.string(),
          }),
        ),
        /** Those that the entries name. */
        withdrawals: z.array(adminWithdrawalView),
      }),
    ),
  },
})

// A header of a return, and nothing else.
const emptyReturn = btoa(`00100000${" ".repeat(134)}2${" ".repeat(97)}\r\n`)

export const remittancesExamples = [
  defineExample(createRemittanceEndpoint, {
    body: { ids: ["0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"], kind: "ted" },
    failures: [
      "payout_account_missing",
      "withdrawal_not_found",
      "withdrawal_not_completable",
      "own_withdrawal",
      "withdrawal_claimed",
      "withdrawal_held",
      "withdrawals_frozen",
      "destination_not_own",
      "order_not_authentic",
      "idempotency_key_reused",
    ],
  }),
  defineExample(readRemittanceReturnEndpoint, {
    file: emptyReturn,
    data: { entries: [], withdrawals: [] },
    failures: ["validation_failed"],
  }),
  defineExample(getRemittanceEndpoint, { params: { sequence: "1" }, failures: ["not_found", "order_not_authentic"] }),
]
