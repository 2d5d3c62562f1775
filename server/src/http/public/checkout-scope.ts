import type { FastifyInstance } from "fastify"
import type { HttpDeps } from "#http/deps"
import { pagePreview } from "#http/previews/page-preview"
import { checkoutForm } from "./checkout-form.ts"
import { checkoutPage } from "./checkout-page.ts"
import { pageQr } from "./page-qr.ts"
import { checkoutSender } from "./send-checkout.ts"

/** Everything under /checkout/, hidden from search engines. */
export async function checkoutScope(app: FastifyInstance, deps: HttpDeps): Promise<void> {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("x-robots-tag", "noindex")
  })
  const send = await checkoutSender(deps)
  checkoutPage(app, deps, send)
  pageQr(app, deps)
  pagePreview(app, deps)
  app.register(async (scope) => checkoutForm(scope, deps, send))
}
