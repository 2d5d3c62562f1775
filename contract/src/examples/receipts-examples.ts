import { getReceiptEndpoint, verifyReceiptEndpoint } from "../api/receipts-endpoints.ts"
import { defineExample } from "./define-example.ts"

const receipt =
  "TLR1.5ab8c8dab76a4138.WzEwMDAwLCJBbmEgU291emEiLDE3OTUyNjI0MDAsIkU5OTk5OTk5OTIwMjYxMTIxMTIwMDAwMDAwMDAwMDAxIiwiOTgyMjQ3Il0.WjcXIkQ2XQF1kGNCxJJeLVbZu8ZySqwlYLRDZqilLvLu-37Ri-WY8VZ3fePFLrrDJ-VKcS0fMARed4H--rGiDA"

const facts = {
  amount: 100,
  receiver: "Ana Souza",
  paidAt: "2026-11-21T12:00:00.000Z",
  endToEndId: "E9999999920261121120000000000001",
  payerCpf: "***.982.247-**",
} as const

export const receiptsExamples = [
  defineExample(getReceiptEndpoint, {
    params: { transactionId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    query: {},
    reply: {
      status: "success",
      data: { receipt, verifyUrl: `https://pagar.example/verificar#${receipt}`, ...facts },
    },
    failures: ["payment_not_found", "receipt_not_ready"],
  }),
  defineExample(verifyReceiptEndpoint, {
    body: { receipt },
    reply: { status: "success", data: { verdict: "refunded", ...facts, refundedAmount: 25 } },
    failures: ["validation_failed"],
  }),
]
