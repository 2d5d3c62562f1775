import { getReceiptEndpoint, verifyReceiptEndpoint } from "@tilinta/contract/api/receipts-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { getReceipt } from "#domain/money/receipts/get-receipt"
import { type ReceiptContent, verifyUrlOf } from "#domain/money/receipts/receipt"
import { receiptVerifier } from "#domain/money/receipts/verify-receipt"
import type { HttpDeps } from "#http/deps"
import { serveEndpoint } from "#http/serve-endpoint"
import { isLoopback, networkOf } from "#kit/client-network"
import { requirePayer } from "./payer-token.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "payerTokens" | "payersUrl" | "signingKeys">

export function receiptCalls(app: FastifyInstance, deps: Deps): void {
  const verifyReceipt = receiptVerifier(deps)

  serveEndpoint(app, getReceiptEndpoint, async ({ params: { transactionId }, query }) => {
    requirePayer(deps.payerTokens, transactionId, query.k)
    const withCpf = query.k !== undefined && query.cpf !== "0"
    const receipt = await getReceipt(deps, { chargeId: transactionId, withCpf })
    return { receipt: receipt.text, verifyUrl: verifyUrlOf(deps.payersUrl, receipt.text), ...factsOf(receipt) }
  })

  serveEndpoint(app, verifyReceiptEndpoint, async ({ body, request: { ip } }) => {
    // A proxy on this machine that names no client stands for everybody.
    const { verdict, content, refundedCents } = await verifyReceipt(body.receipt, isLoopback(ip) ? null : networkOf(ip))
    const facts = content === null ? nothing : factsOf(content)
    return { verdict, ...facts, refundedAmount: reaisFromCents(refundedCents) }
  })
}

const nothing = { amount: null, receiver: null, paidAt: null, endToEndId: null, payerCpf: null }

function factsOf({ amountCents, receiver, paidAt, endToEndId, payerCpf }: ReceiptContent) {
  return { amount: reaisFromCents(amountCents), receiver, paidAt: paidAt.toISOString(), endToEndId, payerCpf }
}
