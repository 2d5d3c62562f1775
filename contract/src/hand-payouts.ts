import * as z from "zod/mini"
import { adminWithdrawalView, payoutClaim } from "./admin-withdrawals.ts"
import { waitingWithdrawal } from "./admin-withdrawals-examples.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { isoDateTime, personReference, requiredLine, success } from "./fields.ts"
import * as heads from "./heads.ts"
import { withdrawalParams } from "./withdrawals.ts"

/** A Pix as the bank's app reads it from the screen. */
const payoutCode = z.object({
  pixCode: z.string(),
  pixQrCodeBase64: z.string(),
  /** Ours in the code, made of the withdrawal's id: most banks write it into their statement. */
  txid: z.string(),
})

const holderRequired = "Escreva o nome e o documento como o banco mostra."

const tag = "Administração: saques"

export const claimWithdrawalEndpoint = defineEndpoint("claimWithdrawal", heads.claimWithdrawal, {
  audience: "admin",
  tag,
  summary:
    "Começa a pagar manualmente um saque aprovado: por dez minutos ninguém mais o paga. Responde o código Pix que o aplicativo do banco lê; uma conta bancária não tem código. Se alguém já começou e não disse o que houve, `claim` é nulo e `earlier` diz quem foi; se um extrato importado já mostra o pagamento, `debitedOn` diz o dia: confira no banco e chame com `checked`",
  params: withdrawalParams,
  body: z.pipe(
    z.nullish(
      z.object({
        checked: z.nullish(z.boolean()),
        /** The holder as the bank's app shows them, its document masked; compared with the seller once. */
        holder: z.nullish(
          z.object({ name: requiredLine(200, holderRequired), document: requiredLine(40, holderRequired) }),
        ),
      }),
    ),
    z.transform((body) => ({ checked: body?.checked === true, holder: body?.holder ?? null })),
  ),
  reply: {
    status: 200,
    schema: success(
      z.object({
        claim: z.nullable(payoutClaim),
        earlier: z.nullable(z.object({ by: personReference, at: isoDateTime })),
        /** The day of a debit in an imported statement that bears this withdrawal's identifier and that nobody confirmed. */
        debitedOn: z.nullable(z.string()),
        pix: z.nullable(payoutCode),
        /** The seller, as a transfer to a bank account names them. */
        holder: z.nullable(z.object({ name: z.string(), document: z.string() })),
        /** OWN_NAME_ONLY wants the holder compared, and nobody knows yet whose the destination is. */
        asksHolder: z.boolean(),
        withdrawal: adminWithdrawalView,
      }),
    ),
  },
})

export const releaseWithdrawalEndpoint = defineEndpoint("releaseWithdrawal", heads.releaseWithdrawal, {
  audience: "admin",
  tag,
  summary: "Deixa de pagar manualmente um saque que não foi pago: outro administrador pode pagá-lo",
  params: withdrawalParams,
  reply: { status: 204 },
})

const claim = {
  by: { _id: "0193a4c3-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Carla Dias" },
  at: "2026-11-21T12:05:00.000Z",
  expiresAt: "2026-11-21T12:15:00.000Z",
}

const params = { id: waitingWithdrawal._id }

export const handPayoutsExamples = [
  defineExample(claimWithdrawalEndpoint, {
    params,
    body: { checked: false, holder: null },
    data: {
      claim,
      earlier: null,
      debitedOn: null,
      pix: null,
      holder: { name: "Ana Souza", document: "52998224725" },
      asksHolder: false,
      withdrawal: {
        ...waitingWithdrawal,
        paymentMethod: "bank_transfer",
        pixKey: null,
        pixKeyType: null,
        bankData: { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" },
        bankAccount: { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente", pixKey: "" },
        paidByHand: true,
        returnable: true,
        status: "approved",
        approvals: 1,
        approvedAt: "2026-11-21T12:00:00.000Z",
        claim,
        facts: null,
      },
    },
    failures: [
      "withdrawal_not_found",
      "withdrawal_not_completable",
      "own_withdrawal",
      "withdrawal_claimed",
      "withdrawal_held",
      "withdrawals_frozen",
      "destination_not_own",
      "order_not_authentic",
    ],
  }),
  defineExample(releaseWithdrawalEndpoint, {
    params,
    failures: ["withdrawal_not_found", "own_withdrawal", "withdrawal_claimed"],
  }),
]
