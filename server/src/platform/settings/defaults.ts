import type { SettingCategory, SettingGroup, SettingType } from "@tilinta/contract/vocabulary/system"
import type { Protection } from "#kit/request-scope"

export type SettingValue = number | string | boolean

export interface DefaultSetting {
  type: SettingType
  value: SettingValue
  category: SettingCategory
  description: string
  isPublic: boolean
}

/** Stored in reais, read in centavos. */
export const reaisSettingKeys = [
  "MIN_WITHDRAWAL_AMOUNT",
  "DAILY_WITHDRAWAL_LIMIT",
  "PLATFORM_DAILY_LIMIT",
  "SECOND_APPROVAL_ABOVE",
  "MAX_PIX_PAYOUT",
] as const

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
  NEW_DESTINATION_HOLD_HOURS: {
    type: "number",
    value: 24,
    category: "general",
    description: "Por quantas horas um saque para um destino novo espera; 0 = não espera. Vale com proteção estrita",
    isPublic: false,
  },
  RECOVERY_HOLD_HOURS: {
    type: "number",
    value: 72,
    category: "general",
    description:
      "Por quantas horas os saques esperam depois de senha redefinida, e-mail trocado ou conta alterada por um administrador; 0 = não esperam. Vale com proteção estrita",
    isPublic: false,
  },
  DAILY_WITHDRAWAL_LIMIT: {
    type: "number",
    value: 0,
    category: "general",
    description:
      "Quanto um vendedor saca em 24 horas, em reais; o que passa disso espera; 0 = sem limite. Vale com proteção estrita",
    isPublic: false,
  },
  PLATFORM_DAILY_LIMIT: {
    type: "number",
    value: 0,
    category: "general",
    description:
      "Quanto todos juntos sacam por dia, em reais; o que passa disso espera um dia com lugar; 0 = sem limite. Vale com proteção estrita",
    isPublic: false,
  },
  SELLERS_NEED_SECOND_FACTOR: {
    type: "boolean",
    value: false,
    category: "general",
    description:
      "Vendedores também precisam de um segundo fator: sem um, só podem ativá-lo. Vale com PROTECTION=strict",
    isPublic: false,
  },
  SECOND_APPROVAL_ABOVE: {
    type: "number",
    value: 5000,
    category: "general",
    description:
      "A partir de mais do que este valor, em reais, um saque precisa da aprovação de dois administradores; 0 = um basta para qualquer valor. Vale com a proteção estrita",
    isPublic: false,
  },
  OWN_NAME_ONLY: {
    type: "string",
    value: "",
    category: "general",
    description:
      "Saques só para destinos do próprio vendedor: off = não se confere; warn = avisa quem paga; on = recusa os de outra pessoa; vazio = warn com proteção estrita, off sem ela",
    isPublic: false,
  },
  MAX_PIX_PAYOUT: {
    type: "number",
    value: 0,
    category: "general",
    description:
      "Até que valor, em reais, um saque vai por Pix; acima dele, só para uma conta bancária, por TED; 0 = sem limite",
    isPublic: true,
  },
  PAYOUT_BANK: {
    type: "string",
    value: "",
    category: "general",
    description: "Banco da conta que paga os saques, pelo número COMPE, para a remessa CNAB 240",
    isPublic: false,
  },
  PAYOUT_AGENCY: {
    type: "string",
    value: "",
    category: "general",
    description: "Agência da conta que paga os saques, com o dígito depois do traço, se tiver",
    isPublic: false,
  },
  PAYOUT_ACCOUNT: {
    type: "string",
    value: "",
    category: "general",
    description: "Conta que paga os saques, com o dígito",
    isPublic: false,
  },
  PAYOUT_AGREEMENT: {
    type: "string",
    value: "",
    category: "general",
    description: "Convênio de pagamentos com o banco, na remessa CNAB 240",
    isPublic: false,
  },
  SETTLEMENT_DAYS: {
    type: "number",
    value: 0,
    category: "general",
    description:
      "Depois de quantos dias o líquido de uma venda pode ser sacado; 0 = na hora. Vale para as vendas a partir da mudança",
    isPublic: true,
  },
  RESERVE_PERCENT: {
    type: "number",
    value: 0,
    category: "general",
    description:
      "Parte do líquido de cada venda que fica retida por RESERVE_DAYS dias, em porcentagem, para estornos e contestações; 0 = nada",
    isPublic: true,
  },
  RESERVE_DAYS: {
    type: "number",
    value: 0,
    category: "general",
    description: "Por quantos dias fica retida a parte de RESERVE_PERCENT; 0 = nada é retido",
    isPublic: true,
  },
  EVENT_RETENTION_DAYS: {
    type: "number",
    value: 90,
    category: "general",
    description: "Por quantos dias os eventos ficam guardados para quem os lê pela API; 0 = para sempre",
    isPublic: false,
  },
  PAYER_DATA_DAYS: {
    type: "number",
    value: 180,
    category: "general",
    description:
      "Por quantos dias, depois do último acontecimento de uma cobrança, ficam o nome, o e-mail, o CPF ou CNPJ e o telefone de quem pagou; 0 = para sempre. Com estorno, contestação ou pagamento a conferir em aberto, esperam o fim",
    isPublic: true,
  },
  CUSTOMER_DATA_DAYS: {
    type: "number",
    value: 730,
    category: "general",
    description:
      "Por quantos dias os dados de um cliente ficam no cadastro do vendedor depois da última alteração ou cobrança; 0 = para sempre. Com cobrança em aberto, esperam o fim",
    isPublic: true,
  },
  WEBHOOK_BODY_DAYS: {
    type: "number",
    value: 30,
    category: "general",
    description:
      "Por quantos dias ficam os avisos do banco, depois de processados, e as respostas aos webhooks enviados; 0 = para sempre",
    isPublic: false,
  },
  ADDRESS_DAYS: {
    type: "number",
    value: 180,
    category: "general",
    description:
      "Por quantos dias ficam os endereços IP e os dispositivos da auditoria e dos acessos; 0 = para sempre. O que foi feito continua registrado",
    isPublic: false,
  },
  AUTOMATIC_PIX: {
    type: "boolean",
    value: false,
    category: "general",
    description:
      "Pix Automático: vendedores habilitados pedem ao cliente uma autorização, e cada cobrança da assinatura é debitada. Precisa de LEGAL_NAME, LEGAL_CNPJ e de um banco que o ofereça",
    isPublic: false,
  },
  LEGAL_NAME: {
    type: "string",
    value: "",
    category: "general",
    description: "Nome ou razão social de quem opera a plataforma, nos termos e na política de privacidade",
    isPublic: true,
  },
  LEGAL_CNPJ: {
    type: "string",
    value: "",
    category: "general",
    description: "CNPJ de quem opera a plataforma; vazio = nenhum",
    isPublic: true,
  },
  PRIVACY_CONTACT: {
    type: "string",
    value: "",
    category: "general",
    description: "E-mail de quem cuida dos dados pessoais (o encarregado); vazio = o e-mail de suporte",
    isPublic: true,
  },
  TERMS_TEXT: {
    type: "string",
    value: "",
    category: "general",
    description:
      "Termos de serviço, em /termos. Cada texto salvo é uma versão nova, que os vendedores aceitam na próxima entrada; vazio = o texto que acompanha a plataforma. Uma linha com # no começo é um título",
    isPublic: false,
  },
  PRIVACY_TEXT: {
    type: "string",
    value: "",
    category: "general",
    description:
      "Política de privacidade, em /privacidade. Cada texto salvo é uma versão nova, que os vendedores aceitam na próxima entrada; vazio = o texto que acompanha a plataforma. Uma linha com # no começo é um título",
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

/** The heading under which the screen shows each. */
const groups = {
  TRANSACTION_FEE_PERCENTAGE: "fees",
  MIN_WITHDRAWAL_AMOUNT: "fees",
  PLATFORM_NAME: "general",
  SUPPORT_EMAIL: "general",
  MAIL_FROM: "notifications",
  WITHDRAWALS_ENABLED: "withdrawals",
  NEW_DESTINATION_HOLD_HOURS: "withdrawals",
  RECOVERY_HOLD_HOURS: "withdrawals",
  DAILY_WITHDRAWAL_LIMIT: "withdrawals",
  PLATFORM_DAILY_LIMIT: "withdrawals",
  SELLERS_NEED_SECOND_FACTOR: "withdrawals",
  SECOND_APPROVAL_ABOVE: "withdrawals",
  OWN_NAME_ONLY: "withdrawals",
  MAX_PIX_PAYOUT: "withdrawals",
  PAYOUT_BANK: "withdrawals",
  PAYOUT_AGENCY: "withdrawals",
  PAYOUT_ACCOUNT: "withdrawals",
  PAYOUT_AGREEMENT: "withdrawals",
  SETTLEMENT_DAYS: "withdrawals",
  RESERVE_PERCENT: "withdrawals",
  RESERVE_DAYS: "withdrawals",
  EVENT_RETENTION_DAYS: "retention",
  PAYER_DATA_DAYS: "retention",
  CUSTOMER_DATA_DAYS: "retention",
  WEBHOOK_BODY_DAYS: "retention",
  ADDRESS_DAYS: "retention",
  AUTOMATIC_PIX: "general",
  LEGAL_NAME: "legal",
  LEGAL_CNPJ: "legal",
  PRIVACY_CONTACT: "legal",
  TERMS_TEXT: "legal",
  PRIVACY_TEXT: "legal",
  NOTIFY_SELLER_ON_PAYMENT: "notifications",
  NOTIFY_ADMIN_ON_WITHDRAWAL: "notifications",
  PIX_EXPIRATION_MINUTES: "general",
} as const satisfies Record<KnownSettingKey, SettingGroup>

/** An operator's own settings stand under their category's heading. */
export function groupOfSetting(key: string, category: SettingCategory): SettingGroup {
  if (isKnownSettingKey(key)) return groups[key]
  return category === "api" ? "general" : category
}

/** Settings that only strict protection heeds. */
const strictSettings: readonly string[] = [
  "NEW_DESTINATION_HOLD_HOURS",
  "RECOVERY_HOLD_HOURS",
  "DAILY_WITHDRAWAL_LIMIT",
  "PLATFORM_DAILY_LIMIT",
  "SELLERS_NEED_SECOND_FACTOR",
  "SECOND_APPROVAL_ABOVE",
] satisfies KnownSettingKey[]

export function actsUnder(protection: Protection, key: string): boolean {
  return protection === "strict" || !strictSettings.includes(key)
}
