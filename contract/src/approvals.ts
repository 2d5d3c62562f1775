import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, messageReply, personReference, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { secondApprovalActs } from "./vocabulary/people.ts"

const wantedValue = z.nullable(z.union([z.string(), z.number(), z.boolean()]))

/** A field with its values before and after. */
export const wantedChange = z.object({ field: z.string(), before: wantedValue, after: wantedValue })

/** A request of one administrator that a second one must make, too. */
export const approvalView = z.object({
  _id: id,
  act: z.enum(secondApprovalActs),
  /** The withdrawal, user or setting; for a user to be created, the e-mail. */
  subject: personReference,
  changes: z.array(wantedChange),
  askedBy: personReference,
  askedAt: isoDateTime,
  expiresAt: isoDateTime,
})
export type ApprovalView = z.infer<typeof approvalView>

/** Next to the thing as it still is, where a call waits for the same call by another administrator. */
export const pendingFields = {
  /** True when nothing has changed yet. */
  pending: z.optional(z.boolean()),
  approval: z.optional(approvalView),
}

const tag = "Administração: aprovações"
const params = z.object({ id: text(200) })

export const listApprovalsEndpoint = defineEndpoint("listApprovals", heads.listApprovals, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary:
    "O que espera a aprovação de um segundo administrador; quem aprova repete a mesma chamada, com os mesmos valores",
  reply: {
    status: 200,
    schema: success(
      z.object({
        approvals: z.array(approvalView),
        summary: z.object({
          /** Those that the caller may decide. */
          waiting: z.number(),
          /** Those that the caller asked for. */
          own: z.number(),
        }),
      }),
    ),
  },
})

export const refuseApprovalEndpoint = defineEndpoint("refuseApproval", heads.refuseApproval, {
  audience: "admin",
  tag,
  summary: "Recusa o que outro administrador pediu, ou retira o próprio pedido; nada muda",
  params,
  reply: { status: 200, schema: messageReply },
})

const approval: ApprovalView = {
  _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27",
  act: "setting.change",
  subject: { _id: "TRANSACTION_FEE_PERCENTAGE", name: "TRANSACTION_FEE_PERCENTAGE" },
  changes: [{ field: "value", before: 15, after: 12 }],
  askedBy: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bruno Dias" },
  askedAt: "2026-11-21T12:00:00.000Z",
  expiresAt: "2026-11-23T12:00:00.000Z",
}

export const approvalsExamples = [
  defineExample(listApprovalsEndpoint, {
    data: { approvals: [approval], summary: { waiting: 1, own: 0 } },
    failures: [],
  }),
  defineExample(refuseApprovalEndpoint, {
    params: { id: approval._id },
    reply: { status: "success", message: "Aprovação recusada. Nada mudou." },
    failures: ["approval_not_found"],
  }),
]
