import { randomBytes } from "node:crypto"
import { getReceiptEndpoint, verifyReceiptEndpoint } from "@tilinta/contract/receipts"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { noticePage } from "#http/notice-page"
import { limitAddresses, limitCallers } from "#http/rate-limits"
import { noncePolicy } from "#http/security-headers"
import { serveEndpoint } from "#http/serve-endpoint"
import { isLoopback, networkOf } from "#kit/outside"
import { readPlatform } from "#platform/settings/reads"
import { sendErrorPage } from "#selling/charge-pages/checkout-pages"
import { requirePayer } from "#selling/charges/views"
import type { HttpDeps } from "#start/deps"
import { receiptHtml, receiptStyle } from "./pages.ts"
import { receiptPdf } from "./pdf.ts"
import { getReceipt, type ReceiptContent, receiptVerifier, verifyUrlOf } from "./receipt.ts"

type Call = FastifyRequest<{ Params: { transactionId: string }; Querystring: { k?: unknown; cpf?: unknown } }>

const path = "/payment/receipt/:transactionId"
/** A signature and a QR code for each, and a library for the PDF. */
const perAddress = { burst: 300, perSecond: 30, keys: 20_000 }

/** The payer's receipt, to print, keep and pass on. It works without script, and asks for the same right as the proof. */
export function receiptRoutes(scope: FastifyInstance, deps: Deps): void {
  limitAddresses(scope, deps, perAddress)
  limitCallers(scope, deps)
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "cache-control": "no-store", "x-robots-tag": "noindex" })
  })

  scope.get(path, { errorHandler: sendErrorPage }, async (request: Call, reply) => {
    const { receipt, token, leavesCpfOut, platform } = await read(request)
    const nonce = randomBytes(16).toString("base64")
    const { transactionId } = request.params
    const verifyUrl = verifyUrlOf(deps.payersUrl, receipt.text)
    const html = receiptHtml({ transactionId, token, receipt, leavesCpfOut, verifyUrl, nonce })
    return reply
      .header("content-security-policy", noncePolicy(nonce))
      .type("text/html; charset=utf-8")
      .send(noticePage({ platformName: platform.name, title: "Recibo", html, nonce, style: receiptStyle }))
  })

  scope.get(`${path}/recibo.pdf`, { errorHandler: sendErrorPage }, async (request: Call, reply) => {
    const { receipt, platform } = await read(request)
    const verifyUrl = verifyUrlOf(deps.payersUrl, receipt.text)
    reply.header("content-disposition", 'attachment; filename="recibo.pdf"').type("application/pdf")
    return receiptPdf({ receipt, platformName: platform.name, verifyUrl })
  })

  async function read({ params: { transactionId }, query }: Call) {
    requirePayer(deps.payerTokens, transactionId, query.k)
    const token = typeof query.k === "string" ? query.k : undefined
    const leavesCpfOut = query.cpf === "0"
    const [receipt, platform] = await Promise.all([
      getReceipt(deps, { chargeId: transactionId, withCpf: token !== undefined && !leavesCpfOut }),
      readPlatform(deps.db),
    ])
    return { receipt, platform, token, leavesCpfOut }
  }
}

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
