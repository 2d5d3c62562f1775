import type { PublicChargePageView, PublicInvoiceView } from "@tilinta/contract/charge-pages"
import type { PublicShopView } from "@tilinta/contract/fields"
import type { CheckoutProps, PlainForm } from "@tilinta/contract/pages/checkout-props"
import { shopColorCodes } from "@tilinta/contract/vocabulary/shops"
import type { ReactNode } from "react"
import { renderToString } from "react-dom/server"
import { storageKey } from "#api/session-token.ts"
import { maskCnpj, maskCpf, maskPhone } from "#format/masks.ts"
import { formatReais } from "#format/money-text.ts"
import type { CheckoutHandlers } from "./checkout-loop.ts"
import { startCheckout } from "./checkout-state.ts"
import { CheckoutView } from "./checkout-view.tsx"
import { OopsScreen } from "./ending-screens.tsx"
import { EndedInvoiceScreen, endedWords, InvoiceDetails, InvoiceDue } from "./invoice-details.tsx"
import { PageFooter, PageHeader } from "./page-frame.tsx"
import { type CheckoutData, contactOf, payablePage, sellerOf } from "./payable-page.ts"
import { formId } from "./payment-form.tsx"
import { endings, PaidBeforeScreen, PlainPaymentScreen, returnLinkId } from "./plain-payment.tsx"

/** Open Graph tags for a messenger's preview of a shared link. Crawlers need absolute addresses. */
function shareTags({ platformName, origin, previewUrl }: CheckoutProps, page: PublicChargePageView): string {
  const title = page.amount === null ? page.title : `${page.title} – ${formatReais(page.amount)}`
  const properties = {
    "og:title": title,
    "og:description": page.description || `Cobrança de ${sellerOf(page)}. Pague com Pix, com confirmação na hora.`,
    "og:type": "website",
    "og:site_name": platformName,
    "og:url": `${origin}/checkout/${page.uniqueLink}`,
    ...(previewUrl !== null && {
      "og:image": previewUrl,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": title,
    }),
  }
  const tags = Object.entries(properties).map(
    ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
  )
  return `${tags.join("")}<meta name="twitter:card" content="summary_large_image">`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export interface CheckoutAssets {
  script: string
  /** The script of pages whose payers choose the amount. */
  choosingScript: string
  style: string
  /** The styles of the screens that the form leads to. */
  laterStyle: string
  /** The font: the app's file, which the receipt then finds in the cache. */
  fontStyle: string
  /** The styles of the screens that only the server draws. */
  plainStyle: string
  /** The styles that only a shop's pages need. */
  shopStyle: string
  /** The styles that only the pages of invoices need. */
  invoiceStyle: string
  /** The styles that only pages need whose payers choose the amount. */
  choiceStyle: string
}

/** Time to read that it was paid, and to stay. */
const LEAVING_MS = 8000

interface Screen {
  title: string
  /** Null on a page that takes no payment. */
  seller: string | null
  shop: PublicShopView | null
  /** Amounts of an invoice's days; absent of any other page, and once it is paid. */
  invoice?: PublicInvoiceView | undefined
  /** Further tags at the end of the head and of the body. */
  head: string
  tail: string
  main: ReactNode
  isForm: boolean
  /** Leads back to the seller's shop in a moment. */
  isLeaving?: boolean
  /** The script's input; without it the page needs no script. */
  data: CheckoutData | null
}

/** Server rendering calls no handler. */
const noHandlers = {} as CheckoutHandlers

/** Leaves time enough to mark the code and copy it before the reload. */
const askAgain = '<noscript><meta http-equiv="refresh" content="10"></noscript>'

/**
 * The whole page in one response: on a slow phone every further request would cost the payer half a second. The visible
 * part comes first: it is painted while the rest is still arriving.
 */
export function checkoutDocument(props: CheckoutProps, nonce: string, assets: CheckoutAssets): string {
  const { title, seller, shop, invoice, head, tail, main, isForm, isLeaving, data } = screenOf(props)
  const by = `nonce="${escapeHtml(nonce)}"`
  const header = renderToString(<PageHeader {...props} sellerName={seller} shop={shop} />)
  const footer = seller === null ? "" : renderToString(<PageFooter {...props} />)
  const live =
    data === null
      ? ""
      : `<script type="application/json" ${by} id="dados">${safeJson(data)}</script><script ${by}>${data.choice ? assets.choosingScript : assets.script}</script>`
  const leaving = isLeaving
    ? `<script ${by}>setTimeout(()=>location.assign(document.getElementById("${returnLinkId}").href),${LEAVING_MS})</script>`
    : ""
  const path = `/checkout/${props.page?.uniqueLink ?? ""}`
  // Robots of previews run no script, and whoever is logged in here is its seller.
  const opening =
    invoice === undefined
      ? ""
      : `<script ${by}>localStorage.getItem("${storageKey}")||navigator.sendBeacon("${path}/opened")</script>`
  const ofShop = shop === null ? "" : assets.shopStyle + accentStyle(shop)
  const ofChoice = data?.choice ? assets.choiceStyle : ""
  const ofInvoice = invoice === undefined ? "" : assets.invoiceStyle
  const renewing = invoice === undefined ? "" : renewal(invoice, by)
  const due = invoice === undefined ? "" : renderToString(<InvoiceDue invoice={invoice} />)
  const details =
    invoice === undefined
      ? ""
      : renderToString(
          <InvoiceDetails invoice={invoice} contact={contactOf(shop, props.page?.title ?? null)} path={path} />,
        )
  const atOnce =
    (isForm ? assets.style : assets.style + assets.laterStyle + assets.fontStyle + assets.plainStyle) +
    ofShop +
    ofInvoice +
    ofChoice
  // Loaded at once, the font would delay the first paint, and the code of a payer who taps early.
  const later = isForm
    ? `<style ${by}>${assets.laterStyle}</style><style ${by} media="(scripting:none)">${assets.fontStyle}</style>`
    : ""
  return `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title>${head}${renewing}<meta name="theme-color" content="#091012"><meta name="color-scheme" content="dark"><meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg"><style ${by}>${atOnce}</style></head><body>${header}${due}<div id="root">${renderToString(main)}</div>${details}${footer}${tail}${later}${live}${leaving}${opening}</body></html>`
}

/** Letters of the page's own background stand on the accent. */
function accentStyle({ color }: PublicShopView): string {
  if (color === "mint") return ""
  const code = shopColorCodes[color]
  return `.av,.pri{background:${code};color:#091012}:focus-visible{outline-color:${code}}`
}

function screenOf(props: CheckoutProps): Screen {
  const { page, payment, form, platformName, supportEmail, closedShop } = props
  if (payment !== null) return paymentScreen(props, payment)
  if (page === null) {
    const { hiddenBy, ended, customerDataPath } = props
    const main =
      ended === null ? (
        <OopsScreen why={hiddenBy ?? "unknown"} shop={closedShop} supportEmail={supportEmail} />
      ) : (
        <EndedInvoiceScreen ended={ended} shop={closedShop} dataPath={customerDataPath} />
      )
    return {
      title: `${ended === null ? titleOfHidden(hiddenBy) : endedWords(ended).heading} – ${platformName}`,
      seller: null,
      shop: closedShop,
      head: "",
      tail: "",
      main,
      isForm: false,
      data: null,
    }
  }
  const { problem, failure } = form
  const data: CheckoutData = { ...dataOf(props, page), ...(problem && { problem }), ...(failure && { failure }) }
  const start = startCheckout(data, valuesOf(form))
  const isForm = start.screen === "start"
  return {
    title: `${page.title} – Pagar com PIX`,
    seller: sellerOf(page),
    shop: page.shop ?? null,
    invoice: page.invoice,
    head: shareTags(props, page),
    tail: isForm ? hiddenKey(form) : "",
    main: isForm ? (
      <CheckoutView page={data} state={start} on={noHandlers} />
    ) : (
      <PaidBeforeScreen page={data} contact={contactOf(page.shop, page.title)} />
    ),
    isForm,
    data,
  }
}

function titleOfHidden(why: CheckoutProps["hiddenBy"]): string {
  return why === "charge_page_suspended" ? "Página suspensa" : "Página não encontrada"
}

function dataOf({ isReturning, isNewSeller }: CheckoutProps, page: PublicChargePageView): CheckoutData {
  return { ...payablePage(page), ...(isReturning && { back: "?volta&pix=" }), ...(isNewSeller && { isNew: true }) }
}

function paymentScreen(props: CheckoutProps, payment: NonNullable<CheckoutProps["payment"]>): Screen {
  const { page, closedShop } = props
  const { pix, title, seller, sellerDocument } = payment
  const shown = page?.shop ?? closedShop
  const isPaid = pix.status === "pago"
  // A payment keeps the name and document of its moment; the contact is today's.
  const shop = isPaid && shown ? { ...shown, name: seller, document: sellerDocument ?? undefined } : shown
  const isOpen = pix.status === "pendente"
  return {
    title: `${pix.status === "pendente" ? "Pague com Pix" : endings[pix.status][0]} – ${title}`,
    seller: shop?.name ?? seller,
    shop,
    head: isOpen ? askAgain : "",
    tail: "",
    main: (
      <PlainPaymentScreen
        payment={payment}
        isPayable={page?.status === "active"}
        contact={contactOf(shown, title)}
        closedText={closedShop?.closedText}
      />
    ),
    isForm: false,
    isLeaving: payment.returnUrl !== null && payment.isLeaving,
    data: isOpen && page !== null ? { ...dataOf(props, page), pix } : null,
  }
}

/** At midnight of São Paulo the amount changes, and the code with it. By the server's clock, as a phone's may be wrong. */
function renewal({ secondsLeft }: PublicInvoiceView, by: string): string {
  const withScript = `<script ${by}>setTimeout(()=>location.reload(),${secondsLeft}e3)</script>`
  return `${withScript}<noscript><meta http-equiv="refresh" content="${secondsLeft}"></noscript>`
}

/** Placed outside the root, so that hydration never meets it. */
function hiddenKey({ key }: PlainForm): string {
  return `<input type="hidden" form="${formId}" name="chave" value="${escapeHtml(key)}">`
}

function valuesOf({ values }: PlainForm) {
  const { name, email, cpf, cnpj, phone, amount } = values
  return {
    name: name ?? "",
    email: email ?? "",
    cpf: maskCpf(cpf ?? ""),
    phone: maskPhone(phone ?? ""),
    ...(amount && { amount }),
    ...(typeof cnpj === "string" && { cnpj: maskCnpj(cnpj) }),
  }
}

/** Escapes the characters by which a seller's text could end the script element, or a line of it. */
function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
