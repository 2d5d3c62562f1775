import * as z from "zod/mini"
import { withdrawalStatuses } from "../vocabulary/withdrawal-status.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { exportQuery, id, listQuery, optionalText, success } from "./fields.ts"
import { withdrawalFields, withdrawalParams } from "./withdrawals-endpoints.ts"

export const adminWithdrawalView = z.object({
  ...withdrawalFields,
  status: z.enum(withdrawalStatuses),
  /** By a person, who then marks it as paid; the provider sends the others. */
  paidByHand: z.boolean(),
  user: z.object({ _id: id, name: z.string(), email: z.string() }),
})
export type AdminWithdrawalView = z.infer<typeof adminWithdrawalView>

const countAndAmount = z.object({ count: z.number(), amount: z.number() })

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

export const listAllWithdrawalsEndpoint = defineEndpoint({
  method: "GET",
  path: "/api/v1/admin/withdrawals",
  audience: "admin",
  tag,
  summary: "Os saques de todos, dos mais novos aos mais antigos, com totais exatos do que os filtros escolhem",
  query: listQuery(withdrawalStatuses),
  reply: {
    status: 200,
    schema: z.object({
      status: z.literal("success"),
      results: z.number(),
      data: z.object({ withdrawals: z.array(adminWithdrawalView), summary: adminWithdrawalsSummary }),
    }),
  },
})

export const getAnyWithdrawalEndpoint = defineEndpoint({
  method: "GET",
  path: "/api/v1/admin/withdrawals/:id",
  audience: "admin",
  tag,
  summary: "Um saque de qualquer vendedor, como está agora",
  params: withdrawalParams,
  reply: { status: 200, schema: success(z.object({ withdrawal: adminWithdrawalView })) },
})

export const exportAllWithdrawalsEndpoint = defineEndpoint({
  method: "GET",
  path: "/api/v1/admin/withdrawals/export",
  audience: "admin",
  tag,
  summary: "Os saques que os filtros escolhem, todos, em CSV (`saques_{AAAA-MM-DD}.csv`)",
  query: exportQuery(withdrawalStatuses),
  reply: { status: 200, file: "text/csv" },
})

/** Without a body as good as with an empty one. */
const decisionBody = z.pipe(
  z.nullish(z.object({ adminNotes: z.nullish(optionalText(500)) })),
  z.transform((body) => ({ adminNotes: body?.adminNotes ?? "" })),
)

const decisionReply = {
  status: 200,
  schema: z.object({
    status: z.literal("success"),
    message: z.string(),
    data: z.object({ withdrawal: adminWithdrawalView }),
  }),
} as const

export const approveWithdrawalEndpoint = defineEndpoint({
  method: "PATCH",
  path: "/api/v1/admin/withdrawals/:id/approve",
  audience: "admin",
  tag,
  summary:
    "Aprova um saque pendente; por Pix, o pagamento é enviado em seguida, se o banco envia (`paidByHand` = false)",
  params: withdrawalParams,
  body: decisionBody,
  reply: decisionReply,
})

export const rejectWithdrawalEndpoint = defineEndpoint({
  method: "PATCH",
  path: "/api/v1/admin/withdrawals/:id/reject",
  audience: "admin",
  tag,
  summary: "Rejeita um saque pendente: o valor volta ao saldo do vendedor",
  params: withdrawalParams,
  body: decisionBody,
  reply: decisionReply,
})

export const completeWithdrawalEndpoint = defineEndpoint({
  method: "PATCH",
  path: "/api/v1/admin/withdrawals/:id/complete",
  audience: "admin",
  tag,
  summary: "Marca como pago um saque aprovado que se paga à mão (`paidByHand`)",
  params: withdrawalParams,
  body: decisionBody,
  reply: decisionReply,
})
