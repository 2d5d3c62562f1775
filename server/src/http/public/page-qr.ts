import type { FastifyInstance } from "fastify"
import { findPublicChargePage } from "#domain/selling/charge-pages/find-public-charge-page"
import type { HttpDeps } from "#http/deps"
import { DomainError } from "#kit/domain-error"
import { qrSvg } from "#kit/qr-code"
import { isStorableLink } from "./storable-link.ts"

/** A page's public link as a QR code, to show or to print. */
export function pageQr(
  app: FastifyInstance,
  { db, clock, payersUrl }: Pick<HttpDeps, "db" | "clock" | "payersUrl">,
): void {
  app.get<{ Params: { link: string } }>("/checkout/:link/qr.svg", async (request, reply) => {
    const { link } = request.params
    const found = isStorableLink(link) ? await findPublicChargePage(db, clock, link) : null
    if (found === null) throw new DomainError("public_charge_page_not_found")
    reply.headers({ "cache-control": "private, max-age=300" }).type("image/svg+xml")
    return qrSvg(`${payersUrl}/checkout/${found.page.uniqueLink}`)
  })
}
