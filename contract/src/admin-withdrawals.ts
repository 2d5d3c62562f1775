import * as z from "zod/mini"
import { pendingFields } from "./approvals.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import {
  countAndAmount,
  exportFormat,
  exportReply,
  handSettlementFields,
  id,
  inOrder,
  isoDateTime,
  listFilters,
  optionalLines,
  partOfList,
  personReference,
  requiredLines,
  success,
  successWithMessage,
  successWithResults,
  text,
  userReference,
} from "./fields.ts"
import * as heads from "./heads.ts"
import {
  BANK_ID_MAX,
  bankIdIn,
  destinationOwners,
  withdrawalStatuses,
  withdrawalWaits,
} from "./vocabulary/withdrawals.ts"
import { withdrawalFields, withdrawalParams } from "./withdrawals.ts"

/** Facts that help an admin decide about a request. */
export const withdrawalFacts = z.object({
  sellerSince: isoDateTime,
  paidCount: z.number(),
  /** The median of the last ten paid withdrawals; null before the first. */
  usualAmount: z.nullable(z.number()),
  /** Compared with the last paid withdrawal. */
  destination: z.enum(["first", "same", "changed"]),
  /** Whether the seller's profile names the same account or key. */
  inProfile: z.boolean(),
  profileChangedAt: z.nullable(isoDateTime),
  /** The available balance that remains once this withdrawal is paid. */
  balanceAfter: z.number(),
  openRefunds: countAndAmount,
})
export type WithdrawalFacts = z.infer<typeof withdrawalFacts>

/** An administrator who was shown how to pay a withdrawal, and whom nobody else joins until then. */
export const payoutClaim = z.object({ by: personReference, at: isoDateTime, expiresAt: isoDateTime })
export type PayoutClaim = z.infer<typeof payoutClaim>

export const adminWithdrawalView = z.object({
  ...withdrawalFields,
  status: z.enum(withdrawalStatuses),
  /** True when a person makes the transfer and marks it as paid; the provider sends the others. */
  paidByHand: z.boolean(),
  /** True when an admin may put it back into the balance: it can't be paid by hand, or what was paid came back. */
  returnable: z.boolean(),
  ...handSettlementFields,
  /** The reason for which an approved withdrawal is not sent yet; null when it is about to be. */
  waitsBecause: z.nullable(z.enum(withdrawalWaits)),
  /** Approvals given, and how many it takes: two administrators for a large one, where protection is strict. */
  approvals: z.number(),
  approvalsNeeded: z.number(),
  /** The first of two approvals, while the second is missing. */
  firstApproval: z.nullable(z.object({ by: personReference, at: isoDateTime, expiresAt: isoDateTime })),
  user: userReference,
  /** The administrator who is paying it by hand now; null when nobody is. */
  claim: z.nullable(payoutClaim),
  /** The remittance (CNAB 240) in which it waits for the bank's return; null without one, and after a day of silence. */
  remittance: z.nullable(z.object({ sequence: z.int(), at: isoDateTime })),
  /** The bank's id of a payment that was made by hand; null where nobody told it. */
  bankId: z.nullable(z.string()),
  /** Null where the destination is kept no more. */
  destinationId: z.nullable(id),
  owner: z.enum(destinationOwners),
  /** Null unless the withdrawal is pending. */
  facts: z.nullable(withdrawalFacts),
})
export type AdminWithdrawalView = z.infer<typeof adminWithdrawalView>

export const adminWithdrawalsSummary = z.object({
  count: z.number(),
  totalAmount: z.number(),
  pending: countAndAmount,
  approved: countAndAmount,
  processing: countAndAmount,
  completed: countAndAmount,
  rejected: countAndAmount,
  cancelled: countAndAmount,
})
export type AdminWithdrawalsSummary = z.infer<typeof adminWithdrawalsSummary>

const tag = "Administração: saques"

export const listAllWithdrawalsEndpoint = defineEndpoint("listAllWithdrawals", heads.listAllWithdrawals, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Os saques de todos, com totais exatos do que os filtros escolhem e, nos pendentes, o que ajuda a decidir",
  query: z
    .object({
      ...partOfList(100),
      ...listFilters(withdrawalStatuses),
      order: z._default(z.enum(["newest", "oldest"], "Ordem desconhecida."), "newest"),
    })
    .check(inOrder),
  reply: {
    status: 200,
    schema: successWithResults({ withdrawals: z.array(adminWithdrawalView), summary: adminWithdrawalsSummary }),
  },
})

export const getAnyWithdrawalEndpoint = defineEndpoint("getAnyWithdrawal", heads.getAnyWithdrawal, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Um saque de qualquer vendedor, como está agora",
  params: withdrawalParams,
  reply: { status: 200, schema: success(z.object({ withdrawal: adminWithdrawalView })) },
})

export const exportAllWithdrawalsEndpoint = defineEndpoint("exportAllWithdrawals", heads.exportAllWithdrawals, {
  audience: "admin",
  urgency: "last",
  tag,
  summary: "Os saques que os filtros escolhem, todos, num arquivo `saques_{AAAA-MM-DD}`: CSV ou planilha",
  query: z.object({ ...listFilters(withdrawalStatuses), ...exportFormat }).check(inOrder),
  reply: exportReply,
})

/** The endToEndId of a Pix, or what the bank calls a transfer; a whole receipt is pasted as often, and holds it. */
const bankIdText = z
  .pipe(optionalLines(4000), z.transform(bankIdIn))
  .check(z.maxLength(BANK_ID_MAX, `O identificador do banco tem no máximo ${BANK_ID_MAX} caracteres.`))

/** No body is as valid as an empty one. */
const decisionBody = z.pipe(
  z.nullish(z.object({ adminNotes: z.nullish(optionalLines(500)) })),
  z.transform((body) => ({ adminNotes: body?.adminNotes ?? "" })),
)

const completionBody = z.pipe(
  z.nullish(z.object({ adminNotes: z.nullish(optionalLines(500)), bankId: z.nullish(bankIdText) })),
  z.transform((body) => ({ adminNotes: body?.adminNotes ?? "", bankId: body?.bankId || null })),
)

const decisionReply = {
  status: 200,
  schema: successWithMessage(z.object({ withdrawal: adminWithdrawalView })),
} as const

export const approveWithdrawalEndpoint = defineEndpoint("approveWithdrawal", heads.approveWithdrawal, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Aprova um saque pendente; por Pix, o pagamento é enviado em seguida, se o banco envia (`paidByHand` = false). Um saque grande continua pendente até a aprovação de outro administrador (`approvals`, `approvalsNeeded`)",
  params: withdrawalParams,
  body: decisionBody,
  reply: decisionReply,
})

export const rejectWithdrawalEndpoint = defineEndpoint("rejectWithdrawal", heads.rejectWithdrawal, {
  audience: "admin",
  tag,
  summary: "Rejeita um saque pendente: o valor volta ao saldo do vendedor",
  params: withdrawalParams,
  body: decisionBody,
  reply: decisionReply,
})

export const completeWithdrawalEndpoint = defineEndpoint("completeWithdrawal", heads.completeWithdrawal, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Marca como pago um saque aprovado que se paga manualmente (`paidByHand`). `bankId` é o identificador que o banco deu ao pagamento, ou o texto do comprovante que o traz: cada um paga um saque só",
  params: withdrawalParams,
  body: completionBody,
  reply: decisionReply,
})

const reasonRequired = "Escreva o motivo: o vendedor o lê."

export const returnWithdrawalEndpoint = defineEndpoint("returnWithdrawal", heads.returnWithdrawal, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Devolve ao saldo um saque aprovado que não se consegue pagar manualmente, ou um pago que voltou (`returnable`). Onde um aprovado pode já ter saído (o extrato importado o mostra, a remessa não teve retorno, ou alguém começou a pagá-lo e não disse o que houve), responde 409 `withdrawal_held`: confira no banco e chame com `checked`. Com `status`, só o que ainda está assim: o aprovado pode ter sido pago enquanto isso. Com proteção estrita, só quando outro administrador faz a mesma chamada (`pending`)",
  params: withdrawalParams,
  body: z.object({
    reason: requiredLines(500, reasonRequired),
    /** The administrator has looked at the bank: it was not paid. */
    checked: z.nullish(z.boolean()),
    /** As the administrator saw it. */
    status: z.nullish(z.enum(["approved", "completed"])),
  }),
  reply: { status: 200, schema: successWithMessage(z.object({ withdrawal: adminWithdrawalView, ...pendingFields })) },
})

const BATCH_MAX = 100

/** Reasons for which one of several withdrawals could not be approved. */
export const approvalRefusals = [
  "withdrawal_not_found",
  "withdrawal_not_pending",
  "own_withdrawal",
  "withdrawal_seller_inactive",
  "withdrawals_disabled",
  "withdrawals_frozen",
  "destination_not_own",
  "withdrawal_held",
  "second_approver_needed",
  "admin_rights_pending",
  "order_not_authentic",
] as const

const approval = z.object({
  _id: id,
  /** Null when it was approved. */
  code: z.nullable(z.enum(approvalRefusals)),
  message: z.string(),
  /** The present state, whoever caused it. */
  withdrawal: z.nullable(adminWithdrawalView),
})
export type Approval = z.infer<typeof approval>

export const approveWithdrawalsEndpoint = defineEndpoint("approveWithdrawals", heads.approveWithdrawals, {
  audience: "admin",
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary: "Aprova vários saques pendentes, cada um por si, e diz o que houve com cada um",
  body: z.object({
    ids: z
      .array(text(200), "Escolha os saques a aprovar.")
      .check(
        z.minLength(1, "Escolha os saques a aprovar."),
        z.maxLength(BATCH_MAX, `Aprove no máximo ${BATCH_MAX} saques de uma vez.`),
      ),
    adminNotes: z.nullish(optionalLines(500)),
  }),
  reply: {
    status: 200,
    schema: successWithMessage(z.object({ approvals: z.array(approval), approved: countAndAmount })),
  },
})
