import * as z from "zod/mini"
import { pendingFields } from "./approvals.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import {
  countAndAmount,
  decisionEffect,
  id,
  isoDateTime,
  ledgerLine,
  optionalLines,
  pageReference,
  reais,
  requiredLine,
  requiredLines,
  searchQuery,
  sentMoment,
  success,
  successWithMessage,
  successWithResults,
  text,
  transactionReference,
  userReference,
  wholeNumberQuery,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { defenceStates, disputeFilterWords, disputeReasons, disputeStates } from "./vocabulary/dispute-status.ts"
import { bookReaders, managers } from "./vocabulary/team.ts"

export const defenceView = z.object({ text: z.string(), status: z.enum(defenceStates), writtenAt: isoDateTime })

const disputeFields = {
  _id: id,
  /** The disputed amount: all or a part of the payment. */
  amount: z.number(),
  /** The amounts blocked for the dispute now, and already debited by the bank. */
  blocked: z.number(),
  debited: z.number(),
  status: z.enum(disputeStates),
  /** True once nothing is blocked for the dispute any more. */
  settled: z.boolean(),
  reason: z.enum(disputeReasons),
  /** Texts of the payer's bank and of the provider's analyst. */
  details: z.string(),
  analysis: z.string(),
  openedAt: isoDateTime,
  respondUntil: z.nullable(isoDateTime),
  closedAt: z.nullable(isoDateTime),
  defence: z.nullable(defenceView),
  canDefend: z.boolean(),
  transaction: z.nullable(transactionReference),
  checkoutPage: z.nullable(pageReference),
}

export const disputeView = z.object(disputeFields)
export type DisputeView = z.infer<typeof disputeView>

export const disputedPayment = z.object({ amount: z.number(), paidAt: isoDateTime })

const adminDisputeFields = {
  ...disputeFields,
  endToEndId: z.string(),
  provider: z.string(),
  /** `bank` when the provider reported it, `admin` when it was registered by hand. */
  origin: z.enum(["bank", "admin"]),
  user: z.nullable(userReference),
  payment: disputedPayment,
  /** Actions that an admin may take now. */
  actions: z.array(z.enum(["release", "debit"])),
  adminNotes: z.string(),
}

export const adminDisputeView = z.object(adminDisputeFields)
export type AdminDisputeView = z.infer<typeof adminDisputeView>

export const adminDisputeDetails = z.object({
  ...adminDisputeFields,
  /** The effect of each outcome if it came now; all zero once settled. */
  effect: z.object({ release: decisionEffect, debit: decisionEffect }),
  /** The dispute's postings, from debited to credited account, by their Portuguese names. */
  ledger: z.array(ledgerLine),
})
export type AdminDisputeDetails = z.infer<typeof adminDisputeDetails>

const params = z.object({ id: text(200) })
const sellersReply = { status: 200, schema: success(z.object({ dispute: disputeView })) } as const
const adminsReply = { status: 200, schema: successWithMessage(z.object({ dispute: adminDisputeDetails })) } as const

const longestDefence = 1000
const defenceText = requiredLines(
  longestDefence,
  "Escreva a defesa.",
  `A defesa pode ter no máximo ${longestDefence} caracteres.`,
)
const defenceBody = z.object({ text: defenceText })
const sellersTag = "Contestações"

export const listDisputesEndpoint = defineEndpoint("listDisputes", heads.listDisputes, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "transactions:read",
  tag: sellersTag,
  summary: "As contestações em andamento dos pagamentos do vendedor, e quanto está bloqueado por elas",
  reply: {
    status: 200,
    schema: success(
      z.object({ disputes: z.array(disputeView), summary: z.object({ count: z.number(), blocked: z.number() }) }),
    ),
  },
})

export const listTransactionDisputesEndpoint = defineEndpoint(
  "listTransactionDisputes",
  heads.listTransactionDisputes,
  {
    audience: "seller",
    roles: bookReaders,
    whileFrozen: true,
    scope: "transactions:read",
    tag: sellersTag,
    summary: "As contestações de uma transação, também as encerradas",
    params,
    reply: { status: 200, schema: success(z.object({ disputes: z.array(disputeView) })) },
  },
)

export const defendDisputeEndpoint = defineEndpoint("defendDispute", heads.defendDispute, {
  audience: "seller",
  roles: managers,
  tag: sellersTag,
  summary: "Escreve a defesa de um pagamento contestado; o banco aceita uma só",
  params,
  body: defenceBody,
  reply: sellersReply,
})

const tag = "Administração: contestações"
export const disputesSummary = z.object({
  count: z.number(),
  totalAmount: z.number(),
  totalBlocked: z.number(),
  open: countAndAmount,
  defended: countAndAmount,
  accepted: countAndAmount,
  rejected: countAndAmount,
  cancelled: countAndAmount,
})
export type DisputesSummary = z.infer<typeof disputesSummary>

export const listAllDisputesEndpoint = defineEndpoint("listAllDisputes", heads.listAllDisputes, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "As contestações: em andamento primeiro as de prazo mais próximo, as outras das mais novas às mais antigas",
  query: z.object({
    page: wholeNumberQuery(1, 1_000_000),
    limit: wholeNumberQuery(100, 1000),
    status: z._default(z.enum(disputeFilterWords, "Status desconhecido."), "live"),
    reason: z.optional(z.enum(disputeReasons, "Motivo desconhecido.")),
    search: searchQuery(),
  }),
  reply: {
    status: 200,
    schema: successWithResults({
      disputes: z.array(adminDisputeView),
      summary: disputesSummary,
      /** True when the bank reports disputes itself: then none may be registered by hand. */
      toldByBank: z.boolean(),
    }),
  },
})

export const getDisputeEndpoint = defineEndpoint("getDispute", heads.getDispute, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Uma contestação, com o efeito de cada fim e os seus lançamentos contábeis",
  params,
  reply: { status: 200, schema: success(z.object({ dispute: adminDisputeDetails })) },
})

export const listPaymentDisputesEndpoint = defineEndpoint("listPaymentDisputes", heads.listPaymentDisputes, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "As contestações de uma transação de qualquer vendedor",
  params,
  reply: { status: 200, schema: success(z.object({ disputes: z.array(adminDisputeView) })) },
})

const adminNotes = z.nullish(optionalLines(500))

export const registerDisputeEndpoint = defineEndpoint("registerDispute", heads.registerDispute, {
  audience: "admin",
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary: "Registra uma contestação que o banco informou por fora da API: o valor é bloqueado na hora",
  body: z.object({
    endToEndId: requiredLine(64, "Informe o ID do pagamento."),
    /** The whole payment when absent. */
    amount: z.nullish(reais("Informe o valor contestado")),
    reason: z.enum(disputeReasons, "Escolha o motivo."),
    respondUntil: z.nullish(sentMoment()),
    adminNotes,
  }),
  reply: { status: 201, schema: success(z.object({ dispute: adminDisputeDetails })) },
})

const closingBody = z.pipe(
  z.nullish(z.object({ adminNotes })),
  z.transform((body) => ({ adminNotes: body?.adminNotes ?? "" })),
)

/** Nothing changes before another administrator's call where protection is strict: `pending`. */
export const closedDispute = z.object({ dispute: adminDisputeDetails, ...pendingFields })
const closingReply = { status: 200, schema: successWithMessage(closedDispute) } as const

export const releaseDisputeEndpoint = defineEndpoint("releaseDispute", heads.releaseDispute, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Encerra a contestação a favor do vendedor: o que está bloqueado volta ao saldo disponível",
  params,
  body: closingBody,
  reply: closingReply,
})

export const debitDisputeEndpoint = defineEndpoint("debitDispute", heads.debitDispute, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Encerra a contestação a favor do pagador, depois que o banco debitou o valor da conta",
  params,
  body: closingBody,
  reply: closingReply,
})

export const adminDefendDisputeEndpoint = defineEndpoint("adminDefendDispute", heads.adminDefendDispute, {
  audience: "admin",
  tag,
  summary: "Escreve a defesa em nome do vendedor",
  params,
  body: defenceBody,
  reply: adminsReply,
})
