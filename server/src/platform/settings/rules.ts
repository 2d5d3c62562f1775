import { type FeeRule, feeOutOfRange, isFeePercentage } from "@tilinta/contract/vocabulary/fee"
import { type Cents, isReais, noMoney } from "@tilinta/contract/vocabulary/money"
import { hasVisible, isReadableLine } from "@tilinta/contract/vocabulary/payer-data"
import { MOST_OF_SETTING, type SettingCategory, type SettingType } from "@tilinta/contract/vocabulary/system"
import { isEmail, parseCnpj } from "@tilinta/contract/vocabulary/typed-data"
import { brokenRule } from "#kit/errors"
import { legalKindOf } from "#platform/legal-texts/texts"
import { defaultSettings, isKnownSettingKey, type KnownSettingKey, type SettingValue } from "./defaults.ts"

/** The fee of a new charge, and the lifetime of its code. */
export interface ChargeTerms {
  fee: FeeRule
  expirationMinutes: number
}

/** Rules that hold withdrawals back where protection is strict; a limit of nothing is off. */
export interface HoldRules {
  newDestinationHours: number
  recoveryHours: number
  dailyLimitCents: Cents
  platformLimitCents: Cents
}

export const noHolds: HoldRules = {
  newDestinationHours: 0,
  recoveryHours: 0,
  dailyLimitCents: noMoney,
  platformLimitCents: noMoney,
}

interface Setting {
  key: string
  value: SettingValue
  type: SettingType
  category: SettingCategory
}

const wrongType = {
  number: "O valor deve ser um número.",
  string: "O valor deve ser um texto.",
  boolean: "O valor deve ser verdadeiro ou falso.",
} as const satisfies Record<SettingType, string>

const hours = {
  holds: (value: SettingValue) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 720,
  message: "Informe um número inteiro de 0 a 720 horas; 0 desliga a espera.",
}

const limit = {
  holds: (value: SettingValue) => typeof value === "number" && isReais(value) && value >= 0,
  message: "Informe um valor em reais com no máximo duas casas decimais; 0 desliga o limite.",
}

const waitingDays = {
  holds: (value: SettingValue) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 365,
  message: "Informe um número inteiro de 0 a 365 dias; 0 desliga a espera.",
}

function daysOfAtLeast(fewest: number) {
  return {
    holds: (value: SettingValue) =>
      value === 0 || (typeof value === "number" && Number.isInteger(value) && value >= fewest && value <= 3650),
    message: `Informe um número inteiro de ${fewest} a 3650 dias, ou 0 para guardar para sempre.`,
  }
}

/** Valid values per setting; the message says what is allowed. */
const meanings: Partial<Record<KnownSettingKey, { holds(value: SettingValue): boolean; message: string }>> = {
  TRANSACTION_FEE_PERCENTAGE: {
    holds: (value) => typeof value === "number" && isFeePercentage(value),
    message: feeOutOfRange,
  },
  MIN_WITHDRAWAL_AMOUNT: {
    holds: (value) => typeof value === "number" && isReais(value) && value >= 0.01 && value <= 9_999_999.99,
    message: "O saque mínimo deve ficar entre 0,01 e 9.999.999,99, com no máximo duas casas decimais.",
  },
  SECOND_APPROVAL_ABOVE: {
    holds: (value) => typeof value === "number" && isReais(value) && value >= 0 && value <= 9_999_999.99,
    message: "O valor deve ficar entre 0 e 9.999.999,99, com no máximo duas casas decimais.",
  },
  PLATFORM_NAME: {
    holds: (value) => typeof value === "string" && hasVisible(value) && isReadableLine(value) && value.length <= 60,
    message: "O nome deve ter de 1 a 60 caracteres.",
  },
  SUPPORT_EMAIL: {
    holds: (value) => typeof value === "string" && isEmail(value),
    message: "E-mail inválido",
  },
  MAIL_FROM: {
    holds: (value) => typeof value === "string" && (value === "" || isEmail(value)),
    message: "E-mail inválido",
  },
  SETTLEMENT_DAYS: waitingDays,
  RESERVE_DAYS: waitingDays,
  RESERVE_PERCENT: {
    holds: (value) => typeof value === "number" && isReais(value) && value >= 0 && value <= 100,
    message: "A parte retida deve ficar entre 0 e 100, com no máximo duas casas decimais.",
  },
  NEW_DESTINATION_HOLD_HOURS: hours,
  RECOVERY_HOLD_HOURS: hours,
  DAILY_WITHDRAWAL_LIMIT: limit,
  PLATFORM_DAILY_LIMIT: limit,
  OWN_NAME_ONLY: {
    holds: (value) => ["", "off", "warn", "on"].some((word) => word === value),
    message: "Escreva off, warn ou on; vazio = o padrão.",
  },
  MAX_PIX_PAYOUT: limit,
  LEGAL_NAME: {
    holds: (value) => typeof value === "string" && isReadableLine(value) && value.length <= 200,
    message: "O nome deve ter até 200 caracteres, em uma linha.",
  },
  LEGAL_CNPJ: {
    holds: (value) => typeof value === "string" && (value === "" || parseCnpj(value) !== null),
    message: "CNPJ inválido",
  },
  PRIVACY_CONTACT: {
    holds: (value) => typeof value === "string" && (value === "" || isEmail(value)),
    message: "E-mail inválido",
  },
  PAYER_DATA_DAYS: daysOfAtLeast(1),
  CUSTOMER_DATA_DAYS: daysOfAtLeast(30),
  WEBHOOK_BODY_DAYS: daysOfAtLeast(1),
  ADDRESS_DAYS: daysOfAtLeast(30),
  EVENT_RETENTION_DAYS: daysOfAtLeast(7),
  PIX_EXPIRATION_MINUTES: {
    holds: (value) => typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1440,
    message: "A validade deve ser um número inteiro de 1 a 1440 minutos.",
  },
}

/** A known setting keeps its type and category, because code relies on them. A number sent as text is refused. */
export function refuseSenseless({ key, value, type, category }: Setting): void {
  if (typeof value !== type || (typeof value === "number" && !Number.isFinite(value))) {
    throw brokenRule("value", wrongType[type])
  }
  if (typeof value === "string" && value.length > mostOf(key)) {
    throw brokenRule("value", `O texto deve ter no máximo ${mostOf(key)} caracteres.`)
  }
  if (!isKnownSettingKey(key)) return
  const known = defaultSettings[key]
  if (type !== known.type) throw brokenRule("type", "O tipo desta configuração não pode mudar.")
  if (category !== known.category) throw brokenRule("category", "A categoria desta configuração não pode mudar.")
  const meaning = meanings[key]
  if (meaning !== undefined && !meaning.holds(value)) throw brokenRule("value", meaning.message)
}

/** Only legal texts are long. */
function mostOf(key: string): number {
  return isKnownSettingKey(key) && legalKindOf(key) !== null ? MOST_OF_SETTING : 2_000
}
