import type { FastifyInstance } from "fastify"
import { DomainError } from "#kit/errors"
import { findByLink, sendErrorPage } from "#selling/charge-pages/checkout-pages"
import { isStorableLink } from "#selling/charge-pages/views"
import type { HttpDeps } from "#start/deps"
import { noteOpened } from "./change.ts"
import { invoicePdf } from "./pdf-pages.ts"
import { findInvoiceOfPage } from "./reads.ts"

interface OfLink {
  Params: { link: string }
}

/** Next to the page of an invoice, for whoever holds its link. */
export function invoiceLinkRoutes(app: FastifyInstance, deps: Pick<HttpDeps, "db" | "clock" | "payersUrl">): void {
  app.get<OfLink>("/checkout/:link/cobranca.pdf", { errorHandler: sendErrorPage }, async ({ params }, reply) => {
    const { found, hiddenBy } = await findByLink(deps, params.link)
    const invoice = found === null ? null : await findInvoiceOfPage(deps.db, found.page.id)
    if (found === null || invoice === null) throw new DomainError(hiddenBy ?? "public_charge_page_not_found")
    return reply
      .headers({
        "content-disposition": `attachment; filename="cobranca_${invoice.terms.dueDay}.pdf"`,
        "cache-control": "no-store",
      })
      .type("application/pdf")
      .send(await invoicePdf(deps, { invoice, shop: found.shop, sellerName: found.sellerName }))
  })

  app.post<OfLink>("/checkout/:link/opened", async ({ params: { link } }, reply) => {
    if (isStorableLink(link)) await noteOpened(deps, link)
    return reply.code(204).send()
  })
}
