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
