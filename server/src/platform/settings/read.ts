import { type FeeRule, percentFee } from "@tilinta/contract/vocabulary/fee"
import { basisPointsFromPercentage, type Cents, centsFromReais, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import {
  type DefaultSetting,
  defaultSettings,
  feeSettingKeys,
  isKnownSettingKey,
  type KnownSettingKey,
  type SettingValue,
} from "./defaults.ts"
import { findSetting, findSettings } from "./reads.ts"

type WideValue<T> = T extends number ? number : T extends boolean ? boolean : string
type ValueOf<Key extends KnownSettingKey> = WideValue<(typeof defaultSettings)[Key]["value"]>

/** Never cached: a new fee applies from the next request on, on every node. */
async function readSetting<Key extends KnownSettingKey>(db: Db, key: Key): Promise<ValueOf<Key>> {
  return usableValue(key, (await findSetting(db, key))?.value)
}

function usableValue<Key extends KnownSettingKey>(key: Key, stored: SettingValue | undefined): ValueOf<Key> {
  const fallback: DefaultSetting = defaultSettings[key]
  return (typeof stored === fallback.type ? stored : fallback.value) as ValueOf<Key>
}

/** The fee of a new charge, and the lifetime of its code. */
export interface ChargeTerms {
  fee: FeeRule
  expirationMinutes: number
}

export const chargeTermKeys = [...feeSettingKeys, "PIX_EXPIRATION_MINUTES"] as const

type StoredTerms = { [Key in (typeof chargeTermKeys)[number]]?: SettingValue }

/** The terms from stored settings, which are read together with the charge page. */
export function chargeTermsOf(stored: StoredTerms): ChargeTerms {
  return {
    fee: percentFee(usableValue("TRANSACTION_FEE_PERCENTAGE", stored.TRANSACTION_FEE_PERCENTAGE)),
    expirationMinutes: usableValue("PIX_EXPIRATION_MINUTES", stored.PIX_EXPIRATION_MINUTES),
  }
}

export async function readChargeTerms(db: Db): Promise<ChargeTerms> {
  return chargeTermsOf(Object.fromEntries(await findSettings(db, [...chargeTermKeys])))
}

export async function readWithdrawalsEnabled(db: Db): Promise<boolean> {
  return readSetting(db, "WITHDRAWALS_ENABLED")
}

export async function readSellersNeedSecondFactor(db: Db): Promise<boolean> {
  return readSetting(db, "SELLERS_NEED_SECOND_FACTOR")
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

const holdKeys = [
  "NEW_DESTINATION_HOLD_HOURS",
  "RECOVERY_HOLD_HOURS",
  "DAILY_WITHDRAWAL_LIMIT",
  "PLATFORM_DAILY_LIMIT",
] as const

/** One query, in strict protection alone. */
export async function readHoldRules(db: Db, protection: Protection): Promise<HoldRules> {
  return protection === "relaxed" ? noHolds : holdRulesOf(await findSettings(db, [...holdKeys]))
}

type Stored = Awaited<ReturnType<typeof findSettings>>

function holdRulesOf(stored: Stored): HoldRules {
  const [newDestination, recovery, daily, platform] = holdKeys
  return {
    newDestinationHours: usableValue(newDestination, stored.get(newDestination)),
    recoveryHours: usableValue(recovery, stored.get(recovery)),
    dailyLimitCents: centsFromReais(usableValue(daily, stored.get(daily))),
    platformLimitCents: centsFromReais(usableValue(platform, stored.get(platform))),
  }
}

/** The waiting of sales; nothing waits by default. */
export interface ReserveRules {
  settlementDays: number
  /** The part of a sale's net; like its days 0 when nothing is held. */
  reserveBasisPoints: number
  reserveDays: number
}

const reserveKeys = ["SETTLEMENT_DAYS", "RESERVE_PERCENT", "RESERVE_DAYS"] as const

/** Null when a sale's net is available at once. */
export async function readReserveRules(db: Db): Promise<ReserveRules | null> {
  return reserveRulesOf(await findSettings(db, [...reserveKeys]))
}

function reserveRulesOf(stored: Stored): ReserveRules | null {
  const [settlement, percent, days] = reserveKeys
  const settlementDays = usableValue(settlement, stored.get(settlement))
  const reserveDays = usableValue(days, stored.get(days))
  const reserveBasisPoints = basisPointsFromPercentage(usableValue(percent, stored.get(percent)))
  const reserves = reserveDays > 0 && reserveBasisPoints > 0
  if (settlementDays === 0 && !reserves) return null
  return {
    settlementDays,
    reserveBasisPoints: reserves ? reserveBasisPoints : 0,
    reserveDays: reserves ? reserveDays : 0,
  }
}

const withdrawalKeys = ["WITHDRAWALS_ENABLED", "MIN_WITHDRAWAL_AMOUNT", "NOTIFY_ADMIN_ON_WITHDRAWAL"] as const

/** All that decides about a request of a withdrawal. */
export interface WithdrawalRules {
  isEnabled: boolean
  minCents: Cents
  notifiesAdmin: boolean
  holds: HoldRules
  reserves: ReserveRules | null
}

export async function readWithdrawalRules(db: Db, protection: Protection): Promise<WithdrawalRules> {
  return withdrawalRulesOf(await findSettings(db, [...withdrawalKeys, ...holdKeys, ...reserveKeys]), protection)
}

function withdrawalRulesOf(stored: Stored, protection: Protection): WithdrawalRules {
  const [enabled, minimum, notifies] = withdrawalKeys
  return {
    isEnabled: usableValue(enabled, stored.get(enabled)),
    minCents: centsFromReais(usableValue(minimum, stored.get(minimum))),
    notifiesAdmin: usableValue(notifies, stored.get(notifies)),
    holds: protection === "relaxed" ? noHolds : holdRulesOf(stored),
    reserves: reserveRulesOf(stored),
  }
}

/** Withdrawals above it need two administrators; null when one is enough for any. */
export async function readSecondApprovalAboveCents(db: Db): Promise<Cents | null> {
  const reais = await readSetting(db, "SECOND_APPROVAL_ABOVE")
  return reais === 0 ? null : centsFromReais(reais)
}

export type DaysKey = Extract<KnownSettingKey, `${string}_DAYS`>

/** For how long something is kept; null when that is for ever. */
export async function readDays(db: Db, key: DaysKey): Promise<number | null> {
  const days = await readSetting(db, key)
  return days === 0 ? null : days
}

export async function readNotifiesAdminOnWithdrawal(db: Db): Promise<boolean> {
  return readSetting(db, "NOTIFY_ADMIN_ON_WITHDRAWAL")
}

export async function readNotifiesSellerOnPayment(db: Db): Promise<boolean> {
  return readSetting(db, "NOTIFY_SELLER_ON_PAYMENT")
}

/** The installation's name, support address and sender of mails, in one query. */
export async function readPlatform(db: Db): Promise<{ name: string; supportEmail: string; mailFrom: string }> {
  const stored = await findSettings(db, ["PLATFORM_NAME", "SUPPORT_EMAIL", "MAIL_FROM"])
  const supportEmail = textOr(stored.get("SUPPORT_EMAIL"), defaultSettings.SUPPORT_EMAIL.value)
  return {
    name: textOr(stored.get("PLATFORM_NAME"), defaultSettings.PLATFORM_NAME.value),
    supportEmail,
    mailFrom: textOr(stored.get("MAIL_FROM"), "") || supportEmail,
  }
}

function textOr(value: SettingValue | undefined, fallback: string): string {
  return typeof value === "string" ? value : fallback
}

interface Operator {
  /** Each empty when the operator gave none. */
  legalName: string
  cnpj: string
  privacyContact: string
}

/** The operator of the installation, for its legal texts. */
export async function readOperator(db: Db): Promise<Operator> {
  const stored = await findSettings(db, ["LEGAL_NAME", "LEGAL_CNPJ", "PRIVACY_CONTACT"])
  return {
    legalName: textOr(stored.get("LEGAL_NAME"), defaultSettings.LEGAL_NAME.value),
    cnpj: textOr(stored.get("LEGAL_CNPJ"), defaultSettings.LEGAL_CNPJ.value),
    privacyContact: textOr(stored.get("PRIVACY_CONTACT"), defaultSettings.PRIVACY_CONTACT.value),
  }
}

/** Callable by anybody, so it returns only settings marked public, and never the category api. */
export async function getPublicSetting(db: Db, name: string): Promise<{ key: string; value: SettingValue }> {
  const key = name.toUpperCase()
  const setting = (await findSetting(db, key)) ?? (isKnownSettingKey(key) ? defaultSettings[key] : undefined)
  if (setting === undefined || !setting.isPublic || setting.category === "api") {
    throw new DomainError("setting_not_found")
  }
  return { key, value: setting.value }
}
