import type { PublicShopView } from "@tilinta/contract/fields"
import type { ShopView } from "@tilinta/contract/shops"
import type { Shop } from "./rules.ts"

export function toShopView({ logoDigest, ...shop }: Shop, payersUrl: string): ShopView {
  return { ...shop, logoUrl: logoDigest === null ? null : logoUrlOf(logoDigest, payersUrl) }
}

/** Empty values are left out. */
export function toPublicShop(
  { name, document, color, whatsapp, email, closedText, logoDigest }: Shop,
  payersUrl: string,
): PublicShopView {
  return {
    name,
    ...(document !== "" && { document }),
    ...(logoDigest !== null && { logoUrl: logoUrlOf(logoDigest, payersUrl) }),
    color,
    ...(whatsapp !== "" && { whatsapp }),
    ...(email !== "" && { email }),
    ...(closedText !== "" && { closedText }),
  }
}

/** Its content names it, so it may be cached for ever. */
function logoUrlOf(digest: string, payersUrl: string): string {
  return `${payersUrl}/logos/${digest}.png`
}
