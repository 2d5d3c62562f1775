import type { FastifyInstance } from "fastify"
import { payableCodeOf } from "#domain/selling/charges/find-shown-charge"
import type { HttpDeps } from "#http/deps"
import { DomainError } from "#kit/domain-error"
import { qrPng } from "#kit/qr-code"
import { requirePayer } from "./payer-token.ts"

export function qrPath(transactionId: string, payerToken: string): string {
  return `/payment/${transactionId}/qr.png?k=${payerToken}`
}

type Deps = Pick<HttpDeps, "db" | "clock" | "payerTokens">

interface Call {
  Params: { transactionId: string }
  Querystring: { k?: unknown }
}

/** The QR code of one Pix, for the seller's own page or mail: other sites may show it, and only while it can be paid. */
export function pixQr(app: FastifyInstance, { db, clock, payerTokens }: Deps): void {
  app.get<Call>("/payment/:transactionId/qr.png", async (request, reply) => {
    requirePayer(payerTokens, request.params.transactionId, request.query.k)
    const pixCode = await payableCodeOf(db, request.params.transactionId, clock.now())
    if (pixCode === null) throw new DomainError("payment_not_found")
    reply
      .headers({ "cache-control": "private, max-age=60", "cross-origin-resource-policy": "cross-origin" })
      .type("image/png")
    return qrPng(pixCode)
  })
}
