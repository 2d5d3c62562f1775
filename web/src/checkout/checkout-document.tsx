/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string"
import { formatReais } from "#format/money.ts"
import type { CheckoutHandlers } from "./checkout-loop.ts"
import type { CheckoutProps } from "./checkout-props.ts"
import { noValues, startCheckout } from "./checkout-state.ts"
import { CheckoutView } from "./checkout-view.tsx"
import { OopsScreen } from "./oops-screen.tsx"
import { PageFooter, PageHeader } from "./page-frame.tsx"
import { payablePage } from "./payable-page.ts"

export interface CheckoutAssets {
  script: string
  style: string
}

/** Nobody can touch what the server draws. */
const noHandlers = {} as CheckoutHandlers

/** The whole page in one text: on a slow phone every further request would cost the payer half a second. */
export function checkoutDocument(props: CheckoutProps, nonce: string, { script, style }: CheckoutAssets): string {
  const { page, supportEmail, platformName } = props
  const by = `nonce="${escapeHtml(nonce)}"`
  const header = renderToString(<PageHeader sellerName={page && page.seller.name} />)
  const footer = renderToString(<PageFooter platformName={platformName} />)
  const head = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${headTags(props)}<meta name="theme-color" content="#091012"><meta name="color-scheme" content="dark"><meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg"><style ${by}>${style}</style></head>`
  if (page === null) {
    const oops = renderToString(<OopsScreen supportEmail={supportEmail} />)
    return `${head}<body>${header}<div id="root">${oops}</div>${footer}</body></html>`
  }

  const payable = payablePage(page)
  const start = startCheckout(payable, noValues)
  const main = renderToString(<CheckoutView page={payable} state={start} on={noHandlers} />)
  return `${head}<body>${noScript(by)}${header}<div id="root">${main}</div>${footer}<script type="application/json" ${by} id="dados">${safeJson(payable)}</script><script type="module" ${by}>${script}</script></body></html>`
}

function headTags({ page, platformName, origin }: CheckoutProps): string {
  if (page === null) return `<title>${escapeHtml(`Página não encontrada – ${platformName}`)}</title>`
  const amount = formatReais(page.amount)
  const description = page.description || `Cobrança de ${page.seller.name}. Pague com PIX, com confirmação na hora.`
  const tags = {
    "og:title": `${page.title} – ${amount}`,
    "og:description": description,
    "og:type": "website",
    "og:site_name": platformName,
    "og:url": `${origin}/checkout/${page.uniqueLink}`,
  }
  const meta = Object.entries(tags).map(
    ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
  )
  return `<title>${escapeHtml(page.title)} – Pagar com PIX</title>${meta.join("")}`
}

/** The form could do nothing without the script: what the page is about stays, and so does the way out. */
function noScript(by: string): string {
  return `<noscript><style ${by}>.fm{display:none!important}</style><p class="nojs">Para gerar o PIX, ative o JavaScript do seu navegador e atualize esta página.</p></noscript>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** No text of a seller can end the script element, or a line of it. */
function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
