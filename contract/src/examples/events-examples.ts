import { listEventsEndpoint } from "../api/events-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const eventsExamples = [
  defineExample(listEventsEndpoint, {
    query: { after: "0", limit: "100", types: "charge.paid,charge.refunded", wait: "0" },
    reply: {
      status: "success",
      data: {
        events: [
          {
            id: "evt_0193a4bf7c1a7d3e9b524f0d6c8e1a27_42",
            type: "charge.paid",
            sequence: 42,
            createdAt: "2026-11-21T14:16:07.000Z",
            data: {
              transaction: {
                _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
                createdAt: "2026-11-21T12:00:00.000Z",
                updatedAt: "2026-11-21T14:16:07.000Z",
                paidAt: "2026-11-21T14:16:06.627Z",
                description: "Um encontro por semana",
                amount: 100,
                grossAmount: 100,
                fee: 15,
                netAmount: 85,
                refundedAmount: 0,
                status: "pago",
                paymentMethod: "pix",
                checkoutPage: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", title: "Mentoria de Vendas" },
                customerInfo: { name: "Bruno Lima" },
                customerDataErasedAt: null,
                externalReference: "pedido-1042",
                metadata: {
                  txid: "0mwqcvpc0ijRYDEvQlAjrrTIIoT05jgM",
                  endToEndId: "E0000000020261121140000000000019",
                  late: false,
                  duplicate: false,
                  order: { loja: "Centro" },
                },
              },
            },
          },
        ],
        hasMore: false,
        next: 42,
      },
    },
    failures: ["validation_failed", "too_many_requests"],
  }),
] as const
