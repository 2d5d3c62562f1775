import { randomBytes } from "node:crypto"
import { getReceiptEndpoint, verifyReceiptEndpoint } from "@tilinta/contract/receipts"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { getWithdrawalProofEndpoint, getWithdrawalReceiptEndpoint } from "@tilinta/contract/withdrawals"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { noticePage } from "#http/notice-page"
import { limitAddresses, limitCallers } from "#http/rate-limits"
import { noncePolicy } from "#http/security-headers"
import { serveEndpoint } from "#http/serve-endpoint"
import { DomainError } from "#kit/errors"
import { isLoopback, networkOf } from "#kit/outside"
import { getPaymentProof } from "#overviews/charge-details/details"
import { sellerOf } from "#people/sessions/caller"
import { toPublicShop } from "#people/shops/views"
import { readPlatform } from "#platform/settings/reads"
import type { SendPage } from "#platform/site/routes"
import { sendErrorPage } from "#selling/charge-pages/checkout-pages"
import { proofPath } from "#selling/charges/rules"
import { paymentPath, requirePayer } from "#selling/charges/views"
import type { HttpDeps } from "#start/deps"
import { receiptHead, receiptHtml, receiptStyle, receiptTitle } from "./pages.ts"
import { receiptPdf } from "./pdf.ts"
import { getReceipt, type ReceiptContent, receiptVerifier, verifyUrlOf } from "./receipt.ts"
import { signWithdrawal, withdrawalReceipt } from "./withdrawal-receipt.ts"

/** A payment as an address names it. */
interface Wanted {
  transactionId: string
  k: unknown
  cpf: unknown
}

interface Named {
  Params: { transactionId: string }
  Querystring: { k?: unknown; cpf?: unknown }
}

type Search = FastifyRequest<{ Querystring: { transactionId?: string | string[]; k?: unknown; cpf?: unknown } }>

/** A signature and a QR code for each, and a library for the PDF. */
const perAddress = { burst: 300, perSecond: 30, keys: 20_000 }

/**
 * The payer's receipt, to print, keep and pass on. It works without script, and asks for the same right as the proof. What
 * isn't paid, and the sample, are screens of the app.
 */
export function receiptRoutes(scope: FastifyInstance, deps: PageDeps): void {
  limitAddresses(scope, deps, perAddress)
  limitCallers(scope, deps)
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "cache-control": "no-store", "x-robots-tag": "noindex" })
  })

  for (const path of ["/payment/success", "/payment/error"]) {
    scope.get(path, { errorHandler: sendErrorPage }, async (request: Search, reply) => {
      const wanted = wantedOf(request)
      if (wanted.transactionId === "") return deps.sendApp(request, reply)
      if (hasTwoQueries(request)) return reply.redirect(addressOf(wanted))
      const paid = await read(wanted).catch(nullUnlessBroken)
      return paid === null ? deps.sendApp(request, reply) : sendReceipt(reply, paid)
    })
  }

  scope.get<Named>(folder, { errorHandler: sendErrorPage }, async ({ params, query }, reply) => {
    requirePayer(deps.payerTokens, params.transactionId, query.k)
    return reply.redirect(addressOf({ ...params, k: query.k, cpf: query.cpf }))
  })

  for (const name of ["comprovante.pdf", "recibo.pdf"]) {
    scope.get<Named>(`${folder}/${name}`, { errorHandler: sendErrorPage }, async ({ params, query }, reply) => {
      const { receipt, platformName, verifyUrl } = await read({ ...params, k: query.k, cpf: query.cpf })
      reply.header("content-disposition", 'attachment; filename="comprovante.pdf"').type("application/pdf")
      return receiptPdf({ receipt, platformName, verifyUrl })
    })
  }

  async function read({ transactionId, k, cpf }: Wanted) {
    requirePayer(deps.payerTokens, transactionId, k)
    const token = typeof k === "string" ? k : undefined
    const leavesCpfOut = cpf === "0"
    const receipt = await getReceipt(deps, { chargeId: transactionId, withCpf: token !== undefined && !leavesCpfOut })
    const { name: platformName } = await readPlatform(deps.db)
    return { receipt, token, leavesCpfOut, platformName, verifyUrl: verifyUrlOf(deps.payersUrl, receipt.text) }
  }

  async function sendReceipt(reply: FastifyReply, paid: Awaited<ReturnType<typeof read>>) {
    const { receipt, platformName } = paid
    const { chargePage, returnUrl, shop: found } = await getPaymentProof(deps, receipt.transactionId)
    const shop = found && toPublicShop(found, deps.payersUrl)
    const token = deps.payerTokens.of(receipt.transactionId)
    const homePath = chargePage === null ? "/" : paymentPath(chargePage.uniqueLink, receipt.transactionId, token)
    const nonce = randomBytes(16).toString("base64")
    const html = receiptHtml({ ...paid, shop, returnUrl, homePath, nonce })
    const page = { platformName, title: receiptTitle(receipt), head: receiptHead({ receipt, shop }), html, nonce }
    return reply
      .header("content-security-policy", noncePolicy(nonce))
      .type("text/html; charset=utf-8")
      .send(noticePage({ ...page, style: receiptStyle(shop) }))
  }
}

const folder = "/payment/receipt/:transactionId"

type PageDeps = Deps & Pick<HttpDeps, "secretKeys"> & { sendApp: SendPage }

/** Links of before had the payer's token behind a second question mark, which makes it a part of the id. */
function wantedOf({ query }: Search): Wanted {
  const [transactionId = "", k] = String(query.transactionId ?? "").split("?k=")
  return { transactionId, k: k ?? query.k, cpf: query.cpf }
}

function hasTwoQueries({ query }: Search): boolean {
  return String(query.transactionId).includes("?")
}

function addressOf({ transactionId, k, cpf }: Wanted): string {
  return `${proofPath(transactionId, k)}${cpf === "0" ? "&cpf=0" : ""}`
}

/** The app says by itself that a payment is unknown, or not made yet. */
function nullUnlessBroken(error: unknown): null {
  if (error instanceof DomainError && ["payment_not_found", "receipt_not_ready"].includes(error.code)) return null
  throw error
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

export function withdrawalReceiptRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "signingKeys" | "payersUrl">,
): void {
  serveEndpoint(app, getWithdrawalReceiptEndpoint, async ({ params, request }) => {
    const { day, content } = await withdrawalReceipt(deps, { id: params.id, sellerId: sellerOf(request).id })
    return { name: `comprovante_saque_${day}.pdf`, content }
  })

  serveEndpoint(app, getWithdrawalProofEndpoint, async ({ params, request }) => {
    const { text, verifyUrl, content } = await signWithdrawal(deps, { id: params.id, sellerId: sellerOf(request).id })
    return { receipt: text, verifyUrl, ...factsOf(content) }
  })
}

const nothing = {
  ...{ amount: null, receiver: null, receiverDocument: null, paidAt: null, endToEndId: null },
  ...{ payerCpf: null, payerCnpj: null },
}

function factsOf({ amountCents, paidAt, ...content }: ReceiptContent) {
  const { receiver, receiverDocument, endToEndId, payerCpf, payerCnpj } = content
  const people = { receiver, receiverDocument, payerCpf, payerCnpj }
  return { amount: reaisFromCents(amountCents), paidAt: paidAt.toISOString(), endToEndId, ...people }
}
