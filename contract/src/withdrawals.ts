import * as z from "zod/mini"
import { defineEndpoint, defineExample, exampleMonth } from "./define-endpoint.ts"
import {
  id,
  isoDateTime,
  listQuery,
  optionalLine,
  reais,
  success,
  successWithMessage,
  successWithResults,
  text,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { exampleReceipt, receiptView } from "./receipts.ts"
import { bankAccountView } from "./users.ts"
import { fileTypes } from "./vocabulary/files.ts"
import { ambiguousPixKey, isAmbiguousPixKey, parsePixKey, pixKeyKinds } from "./vocabulary/pix-key.ts"
import { bookReaders, ownerAlone } from "./vocabulary/team.ts"
import {
  accountTypes,
  type HoldReason,
  holdReasons,
  sellerWithdrawalFilterWords,
  sellerWithdrawalStatusOf,
  withdrawalMethods,
} from "./vocabulary/withdrawals.ts"

const amountRequired = "Valor deve ser maior que zero"
const keyRequired = "Chave PIX é obrigatória"
const bankRequired = "Dados bancários são obrigatórios"

const bankDataSent = z.object({
  bank: optionalLine(100),
  agency: optionalLine(20),
  account: optionalLine(30),
  accountType: z._default(z.enum(accountTypes, "Tipo de conta desconhecido."), "corrente"),
})

/** Only the destination of the chosen method is validated, because forms send both. */
export const requestWithdrawalBody = z
  .object({
    amount: reais(amountRequired).check(z.refine((value) => value > 0, amountRequired)),
    paymentMethod: z.prefault(z.enum(withdrawalMethods, "Escolha o método: pix ou bank_transfer."), "" as "pix"),
    pixKey: z.nullish(text(200)),
    bankData: z.nullish(bankDataSent),
  })
  .check(({ value, issues }) => {
    const refuse = (path: string, message: string) =>
      issues.push({ code: "custom", path: [path], message, input: value })
    if (value.paymentMethod === "pix") {
      if (!value.pixKey?.trim()) refuse("pixKey", keyRequired)
      else if (parsePixKey(value.pixKey) === null)
        refuse("pixKey", "Chave Pix inválida. Use CPF, CNPJ, e-mail, celular com DDD ou chave aleatória.")
      else if (isAmbiguousPixKey(value.pixKey)) refuse("pixKey", ambiguousPixKey)
    } else if (!value.bankData?.bank || !value.bankData.agency || !value.bankData.account) {
      refuse("bankData", bankRequired)
    }
  })
export type RequestWithdrawalBody = z.infer<typeof requestWithdrawalBody>

export const bankDataView = z.object({
  bank: z.string(),
  agency: z.string(),
  account: z.string(),
  accountType: z.enum(accountTypes),
})

/** Fields that sellers and admins read alike. */
export const withdrawalFields = {
  _id: id,
  amount: z.number(),
  paymentMethod: z.enum(withdrawalMethods),
  pixKey: z.nullable(z.string()),
  pixKeyType: z.nullable(z.enum(pixKeyKinds)),
  bankData: z.nullable(bankDataView),
  bankAccount: bankAccountView,
  /** The reason for which it came back, the bank's for refusing it, or the admin's note. */
  adminNotes: z.string(),
  endToEndId: z.nullable(z.string()),
  createdAt: isoDateTime,
  approvedAt: z.nullable(isoDateTime),
  processedAt: z.nullable(isoDateTime),
  /** The part that came back after it had been paid; all of it when the status is rejected. */
  returnedAmount: z.number(),
  /** When it went back to the balance after the approval. */
  returnedAt: z.nullable(isoDateTime),
  /** Nobody approves it before; null when it never waited. */
  heldUntil: z.nullable(isoDateTime),
  holdReasons: z.array(z.enum(holdReasons)),
}

export const withdrawalView = z.object({
  ...withdrawalFields,
  status: z.enum(sellerWithdrawalStatusOf),
  /** The moment it was handed over to the bank. */
  sentAt: z.nullable(isoDateTime),
})
export type WithdrawalView = z.infer<typeof withdrawalView>

export const withdrawalParams = z.object({ id: text(200) })
const tag = "Saques"

export const requestWithdrawalEndpoint = defineEndpoint("requestWithdrawal", heads.requestWithdrawal, {
  audience: "seller",
  roles: ownerAlone,
  stepUp: "by_data",
  scope: "withdrawals:write",
  isIdempotent: true,
  tag,
  summary: "Solicita um saque: o valor sai do saldo disponível na hora",
  body: requestWithdrawalBody,
  reply: { status: 201, schema: success(z.object({ withdrawal: withdrawalView })) },
})

export const listWithdrawalsEndpoint = defineEndpoint("listWithdrawals", heads.listWithdrawals, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "withdrawals:read",
  tag,
  summary: "Os saques do vendedor, dos mais novos aos mais antigos, com totais exatos",
  query: listQuery(sellerWithdrawalFilterWords),
  reply: {
    status: 200,
    schema: successWithResults({
      withdrawals: z.array(withdrawalView),
      summary: z.object({
        available: z.number(),
        inProgress: z.number(),
        withdrawn: z.number(),
        /** Amount disputed by payers, not part of `available`. */
        blocked: z.number(),
        /** Available on a later day. */
        toCome: z.number(),
      }),
    }),
  },
})

export const getWithdrawalEndpoint = defineEndpoint("getWithdrawal", heads.getWithdrawal, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "withdrawals:read",
  tag,
  summary: "Um saque do vendedor",
  params: withdrawalParams,
  reply: { status: 200, schema: success(z.object({ withdrawal: withdrawalView })) },
})

export const getWithdrawalReceiptEndpoint = defineEndpoint("getWithdrawalReceipt", heads.getWithdrawalReceipt, {
  audience: "seller",
  roles: bookReaders,
  scope: "withdrawals:read",
  tag,
  summary:
    "O comprovante de um saque pago, em PDF (`comprovante_saque_{AAAA-MM-DD}`), com a chave mascarada e o código que o confere",
  params: withdrawalParams,
  reply: { status: 200, file: [fileTypes.pdf] },
})

export const getWithdrawalProofEndpoint = defineEndpoint("getWithdrawalProof", heads.getWithdrawalProof, {
  audience: "seller",
  roles: bookReaders,
  scope: "withdrawals:read",
  tag,
  summary:
    "O comprovante assinado de um saque pago, que qualquer um confere em `verifyUrl`. Sem ID do Pix, como numa TED, `endToEndId` é o código do saque",
  params: withdrawalParams,
  reply: { status: 200, schema: success(receiptView) },
})

export const cancelWithdrawalEndpoint = defineEndpoint("cancelWithdrawal", heads.cancelWithdrawal, {
  audience: "seller",
  roles: ownerAlone,
  scope: "withdrawals:write",
  tag,
  summary: "Cancela um saque pendente: o valor volta ao saldo disponível",
  params: withdrawalParams,
  reply: { status: 200, schema: successWithMessage(z.object({ withdrawal: withdrawalView })) },
})

/** The one withdrawal of the examples, with the fields that sellers and admins read alike. */
export const withdrawal = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  amount: 50,
  paymentMethod: "pix",
  pixKey: "ana@loja.example",
  pixKeyType: "email",
  bankData: null,
  bankAccount: { bank: "", agency: "", account: "", accountType: "", pixKey: "ana@loja.example" },
  adminNotes: "",
  endToEndId: null,
  createdAt: "2026-11-21T12:00:00.000Z",
  approvedAt: null,
  processedAt: null,
  returnedAmount: 0,
  returnedAt: null,
  heldUntil: null,
  holdReasons: [] as HoldReason[],
} as const

const pending = { ...withdrawal, status: "pending", sentAt: null } as const

const { _id: exampleId } = withdrawal

export const withdrawalsExamples = [
  defineExample(requestWithdrawalEndpoint, {
    body: { amount: 50, paymentMethod: "pix", pixKey: "ana@loja.example" },
    data: { withdrawal: pending },
    failures: [
      "insufficient_balance",
      "withdrawals_disabled",
      "withdrawals_frozen",
      "pix_key_not_yours",
      "destination_not_own",
      "idempotency_key_reused",
    ],
  }),
  defineExample(listWithdrawalsEndpoint, {
    query: { page: "1", limit: "100", status: "pending", search: "ana@loja.example", ...exampleMonth },
    reply: {
      status: "success",
      results: 1,
      data: {
        withdrawals: [pending],
        summary: { available: 1035, inProgress: 50, withdrawn: 0, blocked: 0, toCome: 0 },
      },
    },
    failures: [],
  }),
  defineExample(getWithdrawalEndpoint, {
    params: { id: exampleId },
    data: { withdrawal: pending },
    failures: ["withdrawal_not_found", "withdrawal_forbidden"],
  }),
  defineExample(getWithdrawalReceiptEndpoint, {
    params: { id: exampleId },
    failures: ["withdrawal_not_found", "withdrawal_forbidden", "withdrawal_not_paid"],
  }),
  defineExample(getWithdrawalProofEndpoint, {
    params: { id: exampleId },
    data: {
      ...exampleReceipt,
      amount: 50,
      receiver: "Saque de Ana Souza para 001, conta •••9-0",
      payerCpf: null,
    },
    failures: ["withdrawal_not_found", "withdrawal_forbidden", "withdrawal_not_paid"],
  }),
  defineExample(cancelWithdrawalEndpoint, {
    params: { id: exampleId },
    reply: {
      status: "success",
      message: "Saque cancelado. O valor voltou ao seu saldo.",
      data: { withdrawal: { ...pending, status: "cancelled", processedAt: "2026-11-21T12:00:00.000Z" } },
    },
    failures: ["withdrawal_not_found", "withdrawal_forbidden", "withdrawal_not_pending"],
  }),
]
