/** A shop's accent, as its payers see it. */
export const shopColors = ["mint", "sky", "amber", "coral", "violet", "slate"] as const
export type ShopColor = (typeof shopColors)[number]

export const shopColorLabels = {
  mint: "Menta",
  sky: "Céu",
  amber: "Âmbar",
  coral: "Coral",
  violet: "Violeta",
  slate: "Ardósia",
} as const satisfies Record<ShopColor, string>

/** At least 6:1 on all our dark grounds, and 7:1 under dark letters: WCAG AA both ways. */
export const shopColorCodes = {
  mint: "#54e3bd",
  sky: "#77c5f2",
  amber: "#f5c25f",
  coral: "#fb8d85",
  violet: "#bfa3f3",
  slate: "#abc2ce",
} as const satisfies Record<ShopColor, string>

export const SHOP_NAME_MAX = 60
export const CLOSED_TEXT_MAX = 300

/** The file that a seller sends; its content decides, whatever it is called. */
export const LOGO_MAX_BYTES = 512 * 1024
export const logoTypes = ["image/png", "image/jpeg", "image/webp"] as const

/** How long the code of a sale at the counter can be paid. */
export const COUNTER_MINUTES = 10

/** Named prices at the counter. */
export const MOST_FAVOURITES = 12
export const FAVOURITE_NAME_MAX = 40

interface Contact {
  whatsapp?: string | undefined
  email?: string | undefined
}

/**
 * The way to ask a shop: WhatsApp with a text that is ready to send, or else mail; null where it named neither. The
 * title is null on a page that is no longer shown.
 */
export function shopContact({ whatsapp, email }: Contact, title: string | null): string | null {
  const subject = title === null ? "uma cobrança" : `a cobrança ${title}`
  if (whatsapp) return `https://wa.me/55${whatsapp}?text=${encodeURIComponent(`Olá! É sobre ${subject}.`)}`
  return email ? `mailto:${email}?subject=${encodeURIComponent(`Sobre ${subject}`)}` : null
}

/** The logo's path, which is the same on each of our hosts. */
export function logoPath(logoUrl: string): string {
  return new URL(logoUrl).pathname
}
