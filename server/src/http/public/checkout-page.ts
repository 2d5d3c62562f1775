import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { PublicChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import type { FastifyInstance } from "fastify"
import { findPublicChargePage } from "#domain/charge-pages/find-public-charge-page"
import { readPlatform } from "#domain/settings/read-platform"
import { toPublicChargePageView } from "#http/charge-page-view"
import { compressReply } from "#http/compress-reply"
import { noncePolicy } from "#http/content-security-policy"
import type { HttpDeps } from "#http/deps"
import { StartError } from "#kit/start-error"
import { sendErrorPage } from "./checkout-error-page.ts"
import { isStorableLink } from "./storable-link.ts"

interface CheckoutProps {
  platformName: string
  supportEmail: string
  origin: string
  serverTime: string
  page: PublicChargePageView | null
}

type RenderCheckout = (props: CheckoutProps, nonce: string) => string

type Deps = Pick<HttpDeps, "db" | "clock" | "openings" | "publicUrl" | "siteFolder">

/** The payer's first HTML holds everything: title, amount, Open Graph tags, style and script. */
export async function checkoutPage(app: FastifyInstance, deps: Deps): Promise<void> {
  const { db, clock, openings, publicUrl, siteFolder } = deps
  const render = await loadRenderer(siteFolder)

  app.get<{ Params: { link: string } }>("/checkout/:link", { errorHandler: sendErrorPage }, async (request, reply) => {
    const [found, platform] = await Promise.all([
      isStorableLink(request.params.link) ? findPublicChargePage(db, clock, request.params.link) : null,
      readPlatform(db),
    ])
    if (found !== null && request.method === "GET") openings.count(found.page.sellerId)
    const nonce = randomBytes(16).toString("base64")
    const props: CheckoutProps = {
      platformName: platform.name,
      supportEmail: platform.supportEmail,
      origin: publicUrl,
      serverTime: clock.now().toISOString(),
      page: found && toPublicChargePageView(found),
    }
    reply
      .code(found === null ? 404 : 200)
      .headers({ "content-security-policy": noncePolicy(nonce), "cache-control": "no-store" })
      .type("text/html; charset=utf-8")
    return reply.send(await compressReply(request, reply, render(props, nonce)))
  })
}

async function loadRenderer(siteFolder: string): Promise<RenderCheckout> {
  const path = join(siteFolder, "checkout", "render.js")
  if (!existsSync(path)) {
    throw new StartError("As páginas não foram preparadas (web/dist): rode npm run build.")
  }
  const renderer = (await import(pathToFileURL(path).href)) as { renderCheckout: RenderCheckout }
  return renderer.renderCheckout
}
