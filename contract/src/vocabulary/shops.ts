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

/** Named prices at the counter. */
export const MOST_FAVOURITES = 12
export const FAVOURITE_NAME_MAX = 40
