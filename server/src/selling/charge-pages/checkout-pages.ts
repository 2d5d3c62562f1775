import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { CheckoutProps, PlainForm, PlainPayment } from "@tilinta/contract/pages/checkout-props"
import type { FastifyReply, FastifyRequest } from "fastify"
import { compressReply } from "#http/create-server"
import { startErrorReply } from "#http/errors"
import { appPolicy, noncePolicy } from "#http/security-headers"
import { type DomainError, StartError } from "#kit/errors"
import { wasPaidOut } from "#money/withdrawals/reads"
import type { Shop } from "#people/shops/rules"
import { toPublicShop } from "#people/shops/views"
import { readPlatform } from "#platform/settings/reads"
import { findEndedInvoice, withInvoice } from "#selling/invoices/public-invoice"
import type { HttpDeps } from "#start/deps"
import { checkPublicPage, type HiddenBy, type PublicChargePage, unknownPage } from "./public-page.ts"
import { checkoutPath } from "./rules.ts"
import { isStorableLink, previewUrlOf, toPublicChargePageView } from "./views.ts"

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
  /** The shop that can be asked about it. */
  closedShop?: Shop | null
  form?: Partial<PlainForm>
  payment?: PlainPayment
}

export type SendCheckout = (
  request: FastifyRequest,
  reply: FastifyReply,
  screen: CheckoutScreen,
) => Promise<FastifyReply>

/** Renders every page under /checkout/; the caller chooses the status. */
export async function checkoutSender({
  db,
  clock,
  payersUrl,
  protection,
  siteFolder,
}: CheckoutDeps): Promise<SendCheckout> {
  const render = await loadRenderer(siteFolder)

  return async (request, reply, { found, hiddenBy, closedShop = null, form, payment = null }) => {
    const { link } = request.params as { link?: string }
    const platform = await readPlatform(db)
    const nonce = randomBytes(16).toString("base64")
    const ended =
      found === null && payment === null && link !== undefined && isStorableLink(link)
        ? await findEndedInvoice({ db, clock }, link)
        : null
    const props: CheckoutProps = {
      platformName: platform.name,
      supportEmail: platform.supportEmail,
      origin: payersUrl,
      page: found && toPublicChargePageView(found, payersUrl),
      hiddenBy: hiddenBy === "charge_page_not_open" || hiddenBy === "charge_page_suspended" ? hiddenBy : null,
      closedShop: closedShop && toPublicShop(closedShop, payersUrl),
      ended,
      customerDataPath: found?.page.isInvoice || ended !== null ? `/invoice/data/${link}` : null,
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

export async function findByLink({ db, clock }: Pick<CheckoutDeps, "db" | "clock">, link: string) {
  if (!isStorableLink(link)) return unknownPage
  return withInvoice({ db, clock }, await checkPublicPage(db, clock, link))
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

/** Payers get an HTML error page, which reloads itself once the server is back. */
export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendFailurePage(startErrorReply(error, request, reply), reply)
}

export function sendFailurePage(failure: DomainError, reply: FastifyReply): void {
  const html = errorPage(failure.shownMessage)
  reply.header("content-security-policy", appPolicy(html)).type("text/html; charset=utf-8").send(html)
}

/** Contains only our own texts, nothing of the request. */
function errorPage(message: string): string {
  return `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta http-equiv="refresh" content="5">
    <title>Oops!</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 1rem; padding: 1.5rem;
        background: #091012; color: #e9f1f0; font: 1.125rem/1.5 system-ui, sans-serif; text-align: center }
      h1, p { margin: 0 }
    </style>
  </head>
  <body>
    <h1>Oops!</h1>
    <p>${message}</p>
    <p>Esta página tenta de novo sozinha.</p>
  </body>
</html>
`
}
