import * as z from "zod/mini"
import { pendingFields } from "./approvals.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  countAndAmount,
  decisionEffect,
  id,
  isoDateTime,
  optionalLines,
  partOfList,
  requiredLines,
  searchQuery,
  success,
  successWithMessage,
  successWithResults,
  text,
  transactionReference,
  userReference,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { adminRefundView } from "./refunds.ts"
import { closeKinds } from "./vocabulary/books.ts"
import {
  unmatchedPaymentFilterWords,
  unmatchedPaymentReasons,
  unmatchedPaymentStatuses,
} from "./vocabulary/transactions.ts"

/** Fields that the seller reads, too. */
export const unmatchedPaymentFields = {
  _id: id,
  endToEndId: z.string(),
  txid: z.nullable(z.string()),
  amount: z.number(),
  paidAt: isoDateTime,
  receivedAt: isoDateTime,
  reason: z.enum(unmatchedPaymentReasons),
}

export const unmatchedPaymentView = z.object({
  ...unmatchedPaymentFields,
  status: z.enum(unmatchedPaymentStatuses),
  /** Null once decided. */
  suggestion: z.nullable(z.enum(["accept", "return"])),
  effect: z.object({ accept: decisionEffect, return: decisionEffect }),
  /** The transaction that the payment was meant for or became; without a txid, the one that the bank calls paid. */
  transaction: z.nullable(transactionReference),
  checkoutPage: z.nullable(z.object({ _id: id, title: z.string() })),
  user: z.nullable(userReference),
  /** The refund by which it goes back, or which the bank refused. */
  refund: z.nullable(adminRefundView),
  adminNotes: z.string(),
  decidedAt: z.nullable(isoDateTime),
})
export type UnmatchedPaymentView = z.infer<typeof unmatchedPaymentView>

export const unmatchedPaymentsSummary = z.object({
  count: z.number(),
  totalAmount: z.number(),
  unknown_txid: countAndAmount,
  wrong_amount: countAndAmount,
  charge_already_paid: countAndAmount,
  late: countAndAmount,
  duplicate: countAndAmount,
})
export type UnmatchedPaymentsSummary = z.infer<typeof unmatchedPaymentsSummary>

/** An entry of the bank's lists that can't be read, and so is in no balance, until the bank writes it readably or an admin closes it. */
export const unreadableEntryView = z.object({
  _id: id,
  kind: z.enum(closeKinds),
  /** The bank's name for it: the endToEndId of a receipt. */
  reference: z.string(),
  /** As the bank wrote it; may be empty. */
  amountText: z.string(),
  happenedAt: isoDateTime,
  firstSeenAt: isoDateTime,
})
export type UnreadableEntryView = z.infer<typeof unreadableEntryView>

const tag = "Administração: pagamentos a conferir"

export const listUnmatchedPaymentsEndpoint = defineEndpoint("listUnmatchedPayments", heads.listUnmatchedPayments, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Os pagamentos a conferir, dos mais antigos aos mais novos, com o que cada decisão faria",
  query: z.object({
    ...partOfList(100),
    status: z._default(z.enum(unmatchedPaymentFilterWords, "Status desconhecido."), "open"),
    reason: z.optional(z.enum(unmatchedPaymentReasons, "Motivo desconhecido.")),
    search: searchQuery(),
  }),
  reply: {
    status: 200,
    schema: successWithResults({
      payments: z.array(unmatchedPaymentView),
      summary: unmatchedPaymentsSummary,
      /** The newest hundred that are open, whatever the filter. */
      unreadable: z.array(unreadableEntryView),
    }),
  },
})

const unmatchedParams = z.object({ id: text(200) })

export const getUnmatchedPaymentEndpoint = defineEndpoint("getUnmatchedPayment", heads.getUnmatchedPayment, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Um pagamento a conferir, ou já conferido, como está agora",
  params: unmatchedParams,
  reply: { status: 200, schema: success(z.object({ payment: unmatchedPaymentView })) },
})

const adminNotes = z.nullish(optionalLines(500))

/** As it still is, where it waits for another administrator's call. */
export const decidedUnmatchedPayment = z.object({ payment: unmatchedPaymentView, ...pendingFields })

const decisionReply = { status: 200, schema: successWithMessage(decidedUnmatchedPayment) } as const

export const acceptUnmatchedPaymentEndpoint = defineEndpoint("acceptUnmatchedPayment", heads.acceptUnmatchedPayment, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Credita o pagamento ao vendedor; o que já foi creditado só é marcado como conferido. Com proteção estrita, um vendedor escolhido ou um valor grande esperam a mesma chamada de outro administrador (`pending`)",
  params: unmatchedParams,
  /** `sellerId` names the seller to credit when no charge identifies one. */
  body: z.pipe(
    z.nullish(z.object({ adminNotes, sellerId: z.nullish(text(200)) })),
    z.transform((body) => ({ adminNotes: body?.adminNotes ?? "", sellerId: body?.sellerId ?? null })),
  ),
  reply: decisionReply,
})

export const returnUnmatchedPaymentEndpoint = defineEndpoint("returnUnmatchedPayment", heads.returnUnmatchedPayment, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Devolve o pagamento a quem pagou; o que já foi creditado sai do saldo do vendedor. Com proteção estrita, um valor grande espera a mesma chamada de outro administrador (`pending`)",
  params: unmatchedParams,
  body: z.pipe(
    z.nullish(z.object({ adminNotes })),
    z.transform((body) => ({ adminNotes: body?.adminNotes ?? "" })),
  ),
  reply: decisionReply,
})

export const closeUnreadableEntryEndpoint = defineEndpoint("closeUnreadableEntry", heads.closeUnreadableEntry, {
  audience: "admin",
  tag,
  summary: "Encerra um lançamento do banco que não pôde ser lido, depois de conferido lá; nenhum saldo muda",
  params: unmatchedParams,
  body: z.object({ reason: requiredLines(500, "Escreva o motivo: o que se viu no banco.") }),
  reply: { status: 200, schema: successWithMessage(z.object({ unreadable: z.array(unreadableEntryView) })) },
})

const params = { id: "0193a4c3-7c1a-7d3e-9b52-4f0d6c8e1a27" }
const nothing = { sellerGets: 0, fee: 0, payerGets: 0 }
const none = { count: 0, amount: 0 }

const payment = {
  _id: params.id,
  endToEndId: "E0000000020261121140000000000019",
  txid: "0mwqcvpc0ijRYDEvQlAjrrTIIoT05jgM",
  amount: 70,
  paidAt: "2026-11-21T12:00:00.000Z",
  receivedAt: "2026-11-21T12:00:01.000Z",
  reason: "wrong_amount",
  status: "open",
  suggestion: "return",
  effect: { accept: { sellerGets: 59.5, fee: 10.5, payerGets: 0 }, return: { sellerGets: 0, fee: 0, payerGets: 70 } },
  transaction: { _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27", amount: 100 },
  checkoutPage: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", title: "Mentoria de Vendas" },
  user: { _id: "0193a4c4-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
  refund: null,
  adminNotes: "",
  decidedAt: null,
} as const

const decided = {
  ...payment,
  suggestion: null,
  effect: { accept: nothing, return: nothing },
  adminNotes: "Conferido",
  decidedAt: "2026-11-21T12:10:00.000Z",
} as const

const unreadable = {
  _id: "0193a4c5-7c1a-7d3e-9b52-4f0d6c8e1a27",
  kind: "receipt",
  reference: "E0000000020261121140000000000020",
  amountText: "10,00",
  happenedAt: payment.paidAt,
  firstSeenAt: payment.receivedAt,
} as const

const anotherUnreadable = {
  ...unreadable,
  _id: "0193a4c6-7c1a-7d3e-9b52-4f0d6c8e1a27",
  reference: "E0000000020261121140000000000021",
}

const failures = ["unmatched_payment_not_found", "unmatched_payment_resolved"] as const

export const unmatchedPaymentsExamples = [
  defineExample(listUnmatchedPaymentsEndpoint, {
    query: { page: "1", limit: "100", status: "open", reason: "wrong_amount" },
    reply: {
      status: "success",
      results: 1,
      data: {
        payments: [payment],
        unreadable: [unreadable],
        summary: {
          count: 1,
          totalAmount: 70,
          unknown_txid: none,
          wrong_amount: { count: 1, amount: 70 },
          charge_already_paid: none,
          late: none,
          duplicate: none,
        },
      },
    },
    failures: [],
  }),
  defineExample(getUnmatchedPaymentEndpoint, { params, data: { payment }, failures: ["unmatched_payment_not_found"] }),
  defineExample(acceptUnmatchedPaymentEndpoint, {
    params,
    body: { adminNotes: "Conferido" },
    reply: {
      status: "success",
      message: "Pagamento aceito.",
      data: { payment: { ...decided, status: "accepted", transaction: { ...payment.transaction, amount: 70 } } },
    },
    failures: [...failures, "own_unmatched_payment", "second_approver_needed"],
  }),
  defineExample(returnUnmatchedPaymentEndpoint, {
    params,
    body: { adminNotes: "Conferido" },
    reply: {
      status: "success",
      message: "Devolução solicitada ao banco.",
      data: { payment: { ...decided, status: "returning" } },
    },
    failures: [...failures, "transaction_not_refundable", "refund_not_covered", "second_approver_needed"],
  }),
  defineExample(closeUnreadableEntryEndpoint, {
    params: { id: unreadable._id },
    body: { reason: "O banco informou que foi um teste seu" },
    reply: { status: "success", message: "Lançamento encerrado.", data: { unreadable: [anotherUnreadable] } },
    failures: ["unreadable_entry_not_found"],
  }),
]
