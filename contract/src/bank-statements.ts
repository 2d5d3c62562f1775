import * as z from "zod/mini"
import { adminWithdrawalView } from "./admin-withdrawals.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, success, successWithMessage, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { statementMatches } from "./vocabulary/withdrawals.ts"

const statementEntry = z.object({
  _id: id,
  day: z.string(),
  amount: z.number(),
  text: z.string(),
  match: z.enum(statementMatches),
  /** The withdrawal that is known, sure or likely; null otherwise. */
  withdrawalId: z.nullable(id),
  /** Withdrawals of the same amount, where it is doubtful which one it was. */
  candidates: z.array(id),
})
export type StatementEntryView = z.infer<typeof statementEntry>

const tag = "Administração: saques"

export const importBankStatementEndpoint = defineEndpoint("importBankStatement", heads.importBankStatement, {
  audience: "admin",
  tag,
  summary:
    "Lê o extrato do banco, que é o próprio corpo (OFX 1 ou 2, ou CSV, até 2 MB), e diz que saques pagos manualmente os débitos pagaram. Nada é marcado como pago. O mesmo arquivo outra vez não muda nada",
  bodyFile: ["application/x-ofx", "text/csv"],
  reply: {
    status: 200,
    schema: success(
      z.object({
        statement: z.object({
          _id: id,
          entries: z.array(statementEntry),
          /** Debits that no file told before. */
          new: z.int(),
          /** Credits of which the bank's API never told. */
          untoldCredits: z.array(z.object({ day: z.string(), amount: z.number(), text: z.string() })),
        }),
        /** Those that the entries name. */
        withdrawals: z.array(adminWithdrawalView),
      }),
    ),
  },
})

/** Reasons for which a debit marked no withdrawal as paid. */
export const confirmRefusals = [
  "entry_not_matched",
  "withdrawal_not_found",
  "withdrawal_not_completable",
  "own_withdrawal",
  "bank_id_used",
  "withdrawal_held",
  "order_not_authentic",
] as const
export type ConfirmRefusal = (typeof confirmRefusals)[number]

const ENTRIES_MAX = 500

export const confirmBankStatementEndpoint = defineEndpoint("confirmBankStatement", heads.confirmBankStatement, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Marca como pagos os saques que estes débitos do extrato pagaram, cada um por si: os certos e prováveis como estão, os duvidosos com o saque que você escolheu (`choices`)",
  params: z.object({ id: text(200) }),
  body: z.object({
    entryIds: z
      .array(text(200), "Escolha os lançamentos.")
      .check(
        z.minLength(1, "Escolha os lançamentos."),
        z.maxLength(ENTRIES_MAX, `Confirme no máximo ${ENTRIES_MAX} lançamentos de uma vez.`),
      ),
    /** Which of its candidates a doubtful entry paid. */
    choices: z.nullish(
      z.array(z.object({ entryId: text(200), withdrawalId: text(200) })).check(z.maxLength(ENTRIES_MAX)),
    ),
  }),
  reply: {
    status: 200,
    schema: successWithMessage(
      z.object({
        confirmed: z.array(
          z.object({
            _id: id,
            withdrawalId: z.nullable(id),
            code: z.nullable(z.enum(confirmRefusals)),
            message: z.string(),
          }),
        ),
      }),
    ),
  },
})

const statementId = "0193a4c7-7c1a-7d3e-9b52-4f0d6c8e1a27"
const entryId = "0193a4c6-7c1a-7d3e-9b52-4f0d6c8e1a27"

export const bankStatementsExamples = [
  defineExample(importBankStatementEndpoint, {
    // Data;Histórico;Valor, with one debit.
    file: "RGF0YTtIaXN0b3JpY287VmFsb3IKMjEvMTEvMjAyNjtQaXggZW52aWFkbzstMTIsMzQK",
    data: {
      statement: {
        _id: statementId,
        entries: [
          {
            _id: entryId,
            day: "2026-11-21",
            amount: 12.34,
            text: "Pix enviado",
            match: "none",
            withdrawalId: null,
            candidates: [],
          },
        ],
        new: 1,
        untoldCredits: [],
      },
      withdrawals: [],
    },
    failures: ["payload_too_large", "validation_failed"],
  }),
  defineExample(confirmBankStatementEndpoint, {
    params: { id: statementId },
    body: { entryIds: [entryId] },
    reply: {
      status: "success",
      message: "0 saques marcados como pagos.",
      data: {
        confirmed: [
          {
            _id: entryId,
            withdrawalId: null,
            code: "entry_not_matched",
            message: "Este lançamento não diz que saque pagou: escolha o saque.",
          },
        ],
      },
    },
    failures: ["not_found"],
  }),
]
