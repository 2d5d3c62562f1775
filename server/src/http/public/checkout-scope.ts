import type { FastifyInstance } from "fastify"
import type { HttpDeps } from "#http/deps"
import { pagePreview } from "#http/previews/page-preview"
import type { ChargeLimits } from "./charge-limits.ts"
import { checkoutForm } from "./checkout-form.ts"
import { checkoutPage } from "./checkout-page.ts"
import { limitAddresses } from "./limit-addresses.ts"
import { pageQr } from "./page-qr.ts"
import { pixQr } from "./pix-qr.ts"
import type { ReportLimits } from "./report-limits.ts"
import { reportPageRoutes } from "./report-page.ts"
import { checkoutSender } from "./send-checkout.ts"

/** A page is rendered and compressed, a picture painted in another process: dearer than an answer of the API. */
const perAddress = {
  pages: { burst: 600, perSecond: 100, keys: 20_000 },
  qrCodes: { burst: 100, perSecond: 10, keys: 20_000 },
  pictures: { burst: 60, perSecond: 5, keys: 20_000 },
}

/** Everything under /checkout/, hidden from search engines. */
export async function checkoutScope(
  app: FastifyInstance,
  deps: HttpDeps & { chargeLimits: ChargeLimits; reportLimits: ReportLimits },
): Promise<void> {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("x-robots-tag", "noindex")
  })
  const send = await checkoutSender(deps)
  app.register(async (scope) => {
    limitAddresses(scope, deps, perAddress.pages)
    checkoutPage(scope, deps, send)
  })
  app.register(async (scope) => {
    limitAddresses(scope, deps, perAddress.qrCodes)
    pageQr(scope, deps)
    pixQr(scope, deps)
  })
  app.register(async (scope) => {
    limitAddresses(scope, deps, perAddress.pictures)
    pagePreview(scope, deps)
  })
  app.register(async (scope) => checkoutForm(scope, deps, send))
  app.register(async (scope) => reportPageRoutes(scope, deps))
}
