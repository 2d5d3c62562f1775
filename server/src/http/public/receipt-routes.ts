import { randomBytes } from "node:crypto"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { getReceipt } from "#domain/money/receipts/get-receipt"
import { verifyUrlOf } from "#domain/money/receipts/receipt"
import { receiptPdf } from "#domain/money/receipts/receipt-pdf"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { noncePolicy } from "#http/content-security-policy"
import type { HttpDeps } from "#http/deps"
import { sendErrorPage } from "./checkout-error-page.ts"
import { limitAddresses } from "./limit-addresses.ts"
import { limitCallers } from "./limit-callers.ts"
import { noticePage } from "./notice-page.ts"
import { requirePayer } from "./payer-token.ts"
import { receiptHtml, receiptStyle } from "./receipt-page.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "payerTokens" | "payersUrl" | "signingKeys">
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
