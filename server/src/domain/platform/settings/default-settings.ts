import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/settings"

export type SettingValue = number | string | boolean

export interface DefaultSetting {
  type: SettingType
  value: SettingValue
  category: SettingCategory
  description: string
  isPublic: boolean
}

/** Values in force until another is saved. Every setting here has an effect. */
export const defaultSettings = {
  TRANSACTION_FEE_PERCENTAGE: {
    type: "number",
    value: 15,
    category: "fees",
    description: "Taxa da plataforma sobre cada cobrança paga, em porcentagem",
    isPublic: true,
  },
  MIN_WITHDRAWAL_AMOUNT: {
    type: "number",
    value: 0.01,
    category: "fees",
    description: "Valor mínimo de um saque, em reais",
    isPublic: true,
  },
  PLATFORM_NAME: {
    type: "string",
    value: "Tilinta",
    category: "general",
    description: "Nome da plataforma, mostrado nas telas e nos e-mails",
    isPublic: true,
  },
  SUPPORT_EMAIL: {
    type: "string",
    value: "suporte@localhost",
    category: "general",
    description: "E-mail de suporte, mostrado a quem vende e a quem paga",
    isPublic: true,
  },
  MAIL_FROM: {
    type: "string",
    value: "",
    category: "general",
    description: "Endereço do remetente dos e-mails; vazio = o e-mail de suporte. As respostas vão para o suporte",
    isPublic: false,
  },
  WITHDRAWALS_ENABLED: {
    type: "boolean",
    value: true,
    category: "general",
    description: "Saques ligados. Desligado, nada é solicitado, aprovado nem enviado; o que já foi aprovado espera",
    isPublic: true,
  },
  EVENT_RETENTION_DAYS: {
    type: "number",
    value: 90,
    category: "general",
    description: "Por quantos dias os eventos ficam guardados para quem os lê pela API; 0 = para sempre",
    isPublic: false,
  },
  NOTIFY_SELLER_ON_PAYMENT: {
    type: "boolean",
    value: true,
    category: "notifications",
    description: "Avisa o vendedor por e-mail a cada pagamento recebido",
    isPublic: false,
  },
  NOTIFY_ADMIN_ON_WITHDRAWAL: {
    type: "boolean",
    value: true,
    category: "notifications",
    description: "Avisa os administradores por e-mail a cada saque solicitado",
    isPublic: false,
  },
  PIX_EXPIRATION_MINUTES: {
    type: "number",
    value: 1440,
    category: "api",
    description: "Validade máxima de um código Pix, em minutos",
    isPublic: false,
  },
} as const satisfies Record<string, DefaultSetting>

export type KnownSettingKey = keyof typeof defaultSettings

export function isKnownSettingKey(key: string): key is KnownSettingKey {
  return Object.hasOwn(defaultSettings, key)
}
