import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, optionalLine, personReference, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { exampleRefund, refundView } from "./refunds.ts"
import { counterStaff, managers } from "./vocabulary/team.ts"
import { refundRequestStates } from "./vocabulary/transactions.ts"

const tag = "Balcão"

export const refundRequestView = z.object({
  _id: id,
  /** The sale at the counter; `amount` is the part that may still go back. */
  transaction: z.object({ _id: id, amount: z.number(), description: z.string(), soldBy: personReference }),
  reason: z.string(),
  status: z.enum(refundRequestStates),
  askedBy: personReference,
  askedAt: isoDateTime,
  decidedBy: z.nullable(personReference),
})
export type RefundRequestView = z.infer<typeof refundRequestView>

const ofRequest = z.object({ id: text(200), requestId: text(200) })

export const askForRefundEndpoint = defineEndpoint("askForRefund", heads.askForRefund, {
  audience: "seller",
  roles: counterStaff,
  tag,
  summary: "Pede o estorno de uma venda do balcão. Nada sai do saldo antes que um dono ou gerente confirme",
  params: z.object({ id: text(200) }),
  body: z.object({ reason: optionalLine(140) }),
  reply: { status: 201, schema: success(z.object({ refundRequest: refundRequestView })) },
})

export const listRefundRequestsEndpoint = defineEndpoint("listRefundRequests", heads.listRefundRequests, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  tag,
  summary: "Os pedidos de estorno do balcão que esperam um dono ou gerente, o mais antigo primeiro",
  reply: { status: 200, schema: success(z.object({ refundRequests: z.array(refundRequestView) })) },
})

export const confirmRefundRequestEndpoint = defineEndpoint("confirmRefundRequest", heads.confirmRefundRequest, {
  audience: "seller",
  roles: managers,
  stepUp: "by_data",
  tag,
  summary: "Confirma um pedido de estorno do balcão: o valor sai do saldo na hora",
  params: ofRequest,
  reply: { status: 200, schema: success(z.object({ refund: refundView })) },
})

export const declineRefundRequestEndpoint = defineEndpoint("declineRefundRequest", heads.declineRefundRequest, {
  audience: "seller",
  roles: managers,
  tag,
  summary: "Recusa um pedido de estorno do balcão",
  params: ofRequest,
  reply: { status: 200, schema: success(z.object({ refundRequest: refundRequestView })) },
})

const transactionId = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"
const requestId = "0193a4c3-7c1a-7d3e-9b52-4f0d6c8e1a27"
const cashier = { _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bia Reis" }
const exampleRequest: RefundRequestView = {
  _id: requestId,
  transaction: { _id: transactionId, amount: 12.5, description: "Dois pães na chapa", soldBy: cashier },
  reason: "Valor digitado errado",
  status: "waiting",
  askedBy: cashier,
  askedAt: "2026-11-21T12:05:00.000Z",
  decidedBy: null,
}
const params = { id: transactionId, requestId }

export const refundRequestsExamples = [
  defineExample(askForRefundEndpoint, {
    params: { id: transactionId },
    body: { reason: exampleRequest.reason },
    data: { refundRequest: exampleRequest },
    failures: ["transaction_not_found", "transaction_not_refundable"],
  }),
  defineExample(listRefundRequestsEndpoint, { data: { refundRequests: [exampleRequest] }, failures: [] }),
  defineExample(confirmRefundRequestEndpoint, {
    params,
    data: { refund: { ...exampleRefund, askedBy: cashier.name } },
    failures: [
      "refund_request_not_found",
      "refund_request_decided",
      "transaction_not_refundable",
      "refund_not_covered",
      "refund_too_late",
    ],
  }),
  defineExample(declineRefundRequestEndpoint, {
    params,
    data: {
      refundRequest: {
        ...exampleRequest,
        status: "declined",
        decidedBy: { _id: "0193a4c4-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza" },
      },
    },
    failures: ["refund_request_not_found", "refund_request_decided"],
  }),
]
