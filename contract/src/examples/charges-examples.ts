import { createChargeEndpoint } from "../api/charges-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const chargesExamples = [
  defineExample(createChargeEndpoint, {
    body: {
      amount: 89.9,
      externalReference: "pedido-1042",
      metadata: { loja: "Centro", cupom: "BEMVINDA" },
      description: "Pedido 1042",
      payer: { name: "Bruno Lima", email: "bruno@exemplo.com.br" },
      expiresInHours: 2,
    },
    reply: {
      status: "success",
      data: {
        charge: {
          _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
          externalReference: "pedido-1042",
          metadata: { loja: "Centro", cupom: "BEMVINDA" },
          returnUrl: null,
          amount: 89.9,
          description: "Pedido 1042",
          status: "pendente",
          payerToken: "mK0xTj9vQ2cR7hYd3sWfZA",
          pixCode:
            "00020101021226830014br.gov.bcb.pix2561pix.exemplo.com.br/qr/v2/EXEMPLO5204000053039865802BR6304A1B2",
          imageUrl:
            "http://localhost:3000/payment/0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27/qr.png?k=mK0xTj9vQ2cR7hYd3sWfZA",
          statusUrl:
            "http://localhost:3000/api/v1/checkout/payment-status/0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27?k=mK0xTj9vQ2cR7hYd3sWfZA",
          checkoutUrl:
            "http://localhost:3000/checkout/RRPTSYG1wEUQowsK?pix=0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27&k=mK0xTj9vQ2cR7hYd3sWfZA",
          expiresAt: "2026-11-21T14:00:00.000Z",
          createdAt: "2026-11-21T12:00:00.000Z",
          checkoutPage: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", title: "Pedido 1042" },
        },
      },
    },
    failures: [
      "external_reference_taken",
      "idempotency_key_reused",
      "psp_unavailable",
      "charge_page_changed",
      "too_many_requests",
    ],
  }),
]
