import type { PublicChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import type { CheckoutProps } from "@tilinta/contract/pages/checkout-props"
import { formatReais } from "#format/money-text.ts"

/** Open Graph tags for a messenger's preview of a shared link. Crawlers need absolute addresses. */
export function shareTags({ platformName, origin, previewUrl }: CheckoutProps, page: PublicChargePageView): string {
  const title = `${page.title} – ${formatReais(page.amount)}`
  const properties = {
    "og:title": title,
    "og:description": page.description || `Cobrança de ${page.seller.name}. Pague com Pix, com confirmação na hora.`,
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
