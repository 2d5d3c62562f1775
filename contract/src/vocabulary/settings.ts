export const settingTypes = ["number", "string", "boolean"] as const

export const settingTypeLabels = {
  number: "Número",
  string: "Texto",
  boolean: "Verdadeiro/Falso",
} as const satisfies Record<SettingType, string>
export type SettingType = (typeof settingTypes)[number]

export const settingCategories = ["general", "fees", "api", "notifications"] as const

export const settingCategoryLabels = {
  general: "Geral",
  fees: "Taxas",
  api: "API",
  notifications: "Notificações",
} as const satisfies Record<SettingCategory, string>
export type SettingCategory = (typeof settingCategories)[number]

/** The length of the longest text that a setting holds: terms of service of many pages. */
export const MOST_OF_SETTING = 60_000

/** Texts of paragraphs, which an editor of one line would cut. */
export const longSettings: readonly string[] = ["TERMS_TEXT", "PRIVACY_TEXT"]
