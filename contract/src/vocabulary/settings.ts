export const settingTypes = ["number", "string", "boolean"] as const
export type SettingType = (typeof settingTypes)[number]

export const settingCategories = ["general", "fees", "api", "notifications"] as const
export type SettingCategory = (typeof settingCategories)[number]
