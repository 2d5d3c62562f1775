import {
  getPaymentProofEndpoint,
  getPaymentStatusEndpoint,
  processPixPaymentEndpoint,
} from "../api/payments-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const paymentsExamples = [
  defineExample(processPixPaymentEndpoint, {
    body: {
      checkoutPageId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
      customerInfo: {
        name: "João Lima",
        email: "joao@cliente.example",
        cpf: "52998224725",
        phone: "11987654321",
      },
    },
    reply: {
      status: "success",
      data: {
        transactionId: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
        pixQrCodeBase64: "iVBORw0KGgoAAAANSUhEUgAA",
        payerToken: "mK0xTj9vQ2cR7hYd3sWfZA",
        pixCode:
          "00020101021226790014br.gov.bcb.pix2557pix.exemplo.com.br/qr/v2/6abcc7c841ef8579208712eb113315305204000053039865406100.005802BR5915TILINTA SANDBOX6009SAO PAULO62070503***63049EE0",
        amount: 100,
        status: "pendente",
        expiresAt: "2026-11-22T12:00:00.000Z",
        serverTime: "2026-11-21T12:00:00.000Z",
        receiverName: "TILINTA SANDBOX",
      },
    },
    failures: [
      "public_charge_page_not_found",
      "charge_page_already_paid",
      "charge_page_changed",
      "idempotency_key_reused",
      "psp_unavailable",
    ],
  }),
  defineExample(getPaymentStatusEndpoint, {
    params: {
      transactionId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
    },
    query: {},
    reply: {
      status: "success",
      data: {
        status: "pendente",
      },
    },
    failures: ["payment_not_found"],
  }),
  defineExample(getPaymentProofEndpoint, {
    params: {
      transactionId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
    },
    query: {},
    reply: {
      status: "success",
      data: {
        proof: {
          transactionId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
          amount: 100,
          date: "2026-11-21T12:00:00.000Z",
          title: "Mentoria de Vendas",
          receiver: "Ana Souza",
          chargePath: "/checkout/mWq7LrT2xZ9K",
          returnUrl: null,
          paymentMethod: "pix",
          status: "pago",
          endToEndId: "E9999999920261121120000000000001",
          refundedAmount: 25,
          refunds: [{ amount: 25, date: "2026-11-22T12:00:00.000Z", returnId: "D9999999920261122120000000000001" }],
        },
      },
    },
    failures: ["payment_not_found"],
  }),
]
