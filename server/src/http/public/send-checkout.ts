import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { CheckoutProps, PlainForm, PlainPayment } from "@tilinta/contract/pages/checkout-props"
import type { FastifyReply, FastifyRequest } from "fastify"
import { readPlatform } from "#domain/platform/settings/read-platform"
import {
  type HiddenBy,
  lookAtPublicPage,
  type PublicChargePage,
} from "#domain/selling/charge-pages/find-public-charge-page"
import { toPublicChargePageView } from "#http/charge-page-view"
import { compressReply } from "#http/compress-reply"
import { noncePolicy } from "#http/content-security-policy"
import type { HttpDeps } from "#http/deps"
import { previewUrlOf } from "#http/previews/page-preview"
import { StartError } from "#kit/start-error"
import { wasPaidOut } from "#money/withdrawals/reads"
import { checkoutPath } from "./checkout-path.ts"
import { isStorableLink } from "./storable-link.ts"

type RenderCheckout = (props: CheckoutProps, nonce: string) => string

export type CheckoutDeps = Pick<
  HttpDeps,
  "db" | "clock" | "payerTokens" | "payersUrl" | "protection" | "secretKeys" | "siteFolder"
>

/** The page to render: a charge page, a form with its errors, one Pix, or 'not found' without a page. */
export interface CheckoutScreen {
  found: PublicChargePage | null
  /** Why there is no page to show. */
  hiddenBy?: HiddenBy | null
  form?: Partial<PlainForm>
  payment?: PlainPayment
}

export type SendCheckout = (
  request: FastifyRequest,
  reply: FastifyReply,
  screen: CheckoutScreen,
) => Promise<FastifyReply>

/** Renders every page under /checkout/; the caller chooses the status. */
export async function checkoutSender({ db, payersUrl, protection, siteFolder }: CheckoutDeps): Promise<SendCheckout> {
  const render = await loadRenderer(siteFolder)

  return async (request, reply, { found, hiddenBy, form, payment = null }) => {
    const platform = await readPlatform(db)
    const nonce = randomBytes(16).toString("base64")
    const props: CheckoutProps = {
      platformName: platform.name,
      supportEmail: platform.supportEmail,
      origin: payersUrl,
      page: found && toPublicChargePageView(found),
      hiddenBy: hiddenBy === "public_charge_page_not_found" ? null : (hiddenBy ?? null),
      reportPath: found && `${checkoutPath(found.page.uniqueLink)}/denunciar`,
      previewUrl: found && previewUrlOf(found, platform.name, payersUrl),
      isReturning: found !== null && found.page.order.returnUrl !== null,
      isNewSeller: protection === "strict" && found !== null && !(await wasPaidOut(db, found.page.sellerId)),
      form: { key: newFormKey(), values: {}, problem: null, failure: null, ...form },
      payment,
    }
    reply
      .headers({ "content-security-policy": noncePolicy(nonce), "cache-control": "no-store" })
      .type("text/html; charset=utf-8")
    return reply.send(await compressReply(request, reply, render(props, nonce)))
  }
}

export async function findByLink({ db, clock }: CheckoutDeps, link: string) {
  if (!isStorableLink(link)) return { found: null, hiddenBy: "public_charge_page_not_found" as const }
  return lookAtPublicPage(db, clock, link)
}

function newFormKey(): string {
  return randomBytes(16).toString("base64url")
}

async function loadRenderer(siteFolder: string): Promise<RenderCheckout> {
  const path = join(siteFolder, "checkout", "render.js")
  if (!existsSync(path)) {
    throw new StartError("As páginas não foram preparadas (web/dist): rode npm run build.")
  }
  const renderer = (await import(pathToFileURL(path).href)) as { renderCheckout: RenderCheckout }
  return renderer.renderCheckout
}
