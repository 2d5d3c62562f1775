import { percentFee } from "@tilinta/contract/vocabulary/fee"
import { basisPointsFromPercentage, type Cents, centsFromReais, noMoney } from "@tilinta/contract/vocabulary/money"
import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/system"
import { prepared } from "#db/prepared"
import { textList } from "#db/rows-of"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import {
  type DefaultSetting,
  defaultSettings,
  isKnownSettingKey,
  type KnownSettingKey,
  reaisSettingKeys,
  type SettingValue,
} from "./defaults.ts"
import { type ChargeTerms, type HoldRules, noHolds } from "./rules.ts"

type WideValue<T> = T extends number ? number : T extends boolean ? boolean : string
type ValueOf<Key extends KnownSettingKey> = Key extends (typeof reaisSettingKeys)[number]
  ? Cents
  : WideValue<(typeof defaultSettings)[Key]["value"]>

/** Names in the code, and the settings that they stand for. */
type Named = Record<string, KnownSettingKey>
type ValuesOf<Names extends Named> = { -readonly [Name in keyof Names]: ValueOf<Names[Name]> }
type Stored = { [Key in KnownSettingKey]?: SettingValue }

export async function readSetting<Key extends KnownSettingKey>(db: Db, key: Key): Promise<ValueOf<Key>> {
  return (await readSettings(db, { value: key })).value
}

/** Never cached: a new fee applies from the next request on, on every node. */
async function readSettings<const Names extends Named>(db: Db, names: Names): Promise<ValuesOf<Names>> {
  const { rows } = await prepared<{ key: string; value: SettingValue }>("find-settings")`
    select key, value from settings where key = any(${textList(Object.values(names))})`.execute(db)
  return usableValues(names, Object.fromEntries(rows.map(({ key, value }) => [key, value])))
}

/** The default stands for what isn't stored, or has another type. */
function usableValues<Names extends Named>(names: Names, stored: Stored): ValuesOf<Names> {
  const usable = Object.entries(names).map(([name, key]) => {
    const fallback: DefaultSetting = defaultSettings[key]
    const value = typeof stored[key] === fallback.type ? stored[key] : fallback.value
    return [name, reaisSettingKeys.some((each) => each === key) ? centsFromReais(Number(value)) : value]
  })
  return Object.fromEntries(usable) as ValuesOf<Names>
}

const chargeTermNames = {
  feePercentage: "TRANSACTION_FEE_PERCENTAGE",
  expirationMinutes: "PIX_EXPIRATION_MINUTES",
} as const

export const chargeTermKeys: string[] = Object.values(chargeTermNames)

/** From stored settings, which are read together with the charge page, and the seller's own fee; null is the platform's. */
export function chargeTermsOf(stored: Stored, ownPercentage: number | null): ChargeTerms {
  return toChargeTerms(usableValues(chargeTermNames, stored), ownPercentage)
}

export async function readChargeTerms(db: Db, ownPercentage: number | null): Promise<ChargeTerms> {
  return toChargeTerms(await readSettings(db, chargeTermNames), ownPercentage)
}

function toChargeTerms(
  { feePercentage, expirationMinutes }: ValuesOf<typeof chargeTermNames>,
  ownPercentage: number | null,
): ChargeTerms {
  return { fee: percentFee(ownPercentage ?? feePercentage), expirationMinutes }
}

const holdNames = {
  newDestinationHours: "NEW_DESTINATION_HOLD_HOURS",
  recoveryHours: "RECOVERY_HOLD_HOURS",
  dailyLimitCents: "DAILY_WITHDRAWAL_LIMIT",
  platformLimitCents: "PLATFORM_DAILY_LIMIT",
} as const

/** One query, in strict protection alone. */
export async function readHoldRules(db: Db, protection: Protection): Promise<HoldRules> {
  return protection === "relaxed" ? noHolds : readSettings(db, holdNames)
}

/** The waiting of sales; nothing waits by default. */
export interface ReserveRules {
  settlementDays: number
  /** The part of a sale's net; like its days 0 when nothing is held. */
  reserveBasisPoints: number
  reserveDays: number
}

const reserveNames = {
  settlementDays: "SETTLEMENT_DAYS",
  reservePercentage: "RESERVE_PERCENT",
  reserveDays: "RESERVE_DAYS",
} as const

/** Null when a sale's net is available at once. */
export async function readReserveRules(db: Db): Promise<ReserveRules | null> {
  return reserveRulesOf(await readSettings(db, reserveNames))
}

function reserveRulesOf(settings: ValuesOf<typeof reserveNames>): ReserveRules | null {
  const { settlementDays, reservePercentage, reserveDays } = settings
  const reserveBasisPoints = basisPointsFromPercentage(reservePercentage)
  if (reserveDays > 0 && reserveBasisPoints > 0) return { settlementDays, reserveBasisPoints, reserveDays }
  return settlementDays === 0 ? null : { settlementDays, reserveBasisPoints: 0, reserveDays: 0 }
}

/** All that decides about a request of a withdrawal. */
export interface WithdrawalRules extends HoldRules {
  isEnabled: boolean
  minCents: Cents
  notifiesAdmin: boolean
  /** Above it a withdrawal goes to a bank account; nothing is no limit. */
  maxPixCents: Cents
  reserves: ReserveRules | null
}

const withdrawalNames = {
  isEnabled: "WITHDRAWALS_ENABLED",
  minCents: "MIN_WITHDRAWAL_AMOUNT",
  notifiesAdmin: "NOTIFY_ADMIN_ON_WITHDRAWAL",
  maxPixCents: "MAX_PIX_PAYOUT",
  ...holdNames,
  ...reserveNames,
} as const

export async function readWithdrawalRules(db: Db, protection: Protection): Promise<WithdrawalRules> {
  const settings = await readSettings(db, withdrawalNames)
  return { ...settings, ...(protection === "relaxed" && noHolds), reserves: reserveRulesOf(settings) }
}

export async function readOwnNameOnly(db: Db, protection: Protection): Promise<"off" | "warn" | "on"> {
  const stored = await readSetting(db, "OWN_NAME_ONLY")
  if (stored === "off" || stored === "warn" || stored === "on") return stored
  return protection === "strict" ? "warn" : "off"
}

/** Withdrawals above it need two administrators; null when one is enough for any. */
export async function readSecondApprovalAboveCents(db: Db): Promise<Cents | null> {
  const aboveCents = await readSetting(db, "SECOND_APPROVAL_ABOVE")
  return aboveCents === noMoney ? null : aboveCents
}

export type DaysKey = Extract<KnownSettingKey, `${string}_DAYS`>

/** For how long something is kept; null when that is for ever. */
export async function readDays(db: Db, key: DaysKey): Promise<number | null> {
  const days = await readSetting(db, key)
  return days === 0 ? null : days
}

/** The installation's name, support address and sender of mails, in one query. */
export async function readPlatform(db: Db): Promise<{ name: string; supportEmail: string; mailFrom: string }> {
  const names = { name: "PLATFORM_NAME", supportEmail: "SUPPORT_EMAIL", mailFrom: "MAIL_FROM" } as const
  const platform = await readSettings(db, names)
  return { ...platform, mailFrom: platform.mailFrom || platform.supportEmail }
}

/** The operator of the installation, for its legal texts. Each is empty when the operator gave none. */
export async function readOperator(db: Db): Promise<{ legalName: string; cnpj: string; privacyContact: string }> {
  return readSettings(db, { legalName: "LEGAL_NAME", cnpj: "LEGAL_CNPJ", privacyContact: "PRIVACY_CONTACT" })
}

/** The reason why AUTOMATIC_PIX can't be on, in words; null where it can. */
export async function missingForAutomatic(db: Db, isOffered: boolean): Promise<string | null> {
  const { legalName, cnpj } = await readOperator(db)
  if (!isOffered) return "O provedor de Pix desta instalação não oferece Pix Automático."
  if (legalName === "") return "Preencha LEGAL_NAME: o banco do cliente mostra este nome."
  return cnpj === "" ? "Preencha LEGAL_CNPJ: só uma empresa recebe por Pix Automático." : null
}

/** The account from which the bank pays remittances; each is empty where the operator gave none. */
export async function readPayoutAccount(db: Db) {
  const account = { bank: "PAYOUT_BANK", agency: "PAYOUT_AGENCY", account: "PAYOUT_ACCOUNT" } as const
  return readSettings(db, { ...account, agreement: "PAYOUT_AGREEMENT", cnpj: "LEGAL_CNPJ", legalName: "LEGAL_NAME" })
}

/** Callable by anybody, so it returns only settings marked public, and never the category api. */
export async function getPublicSetting(db: Db, name: string): Promise<{ key: string; value: SettingValue }> {
  const key = name.toUpperCase()
  const stored = await db
    .selectFrom("settings")
    .where("key", "=", key)
    .select(["value", "category", "is_public as isPublic"])
    .executeTakeFirst()
  const setting = stored ?? (isKnownSettingKey(key) ? defaultSettings[key] : undefined)
  if (setting === undefined || !setting.isPublic || setting.category === "api") {
    throw new DomainError("setting_not_found")
  }
  return { key, value: setting.value }
}

export interface FullSetting {
  key: string
  value: SettingValue
  type: SettingType
  category: SettingCategory
  description: string
  updatedAt: Date
  updatedBy: { name: string; email: string } | null
}

function fullSettings(db: Db) {
  return db
    .selectFrom("settings")
    .leftJoin("users", "users.id", "settings.updated_by")
    .select([
      "settings.key",
      "settings.value",
      "settings.type",
      "settings.category",
      "settings.description",
      "settings.updated_at as updatedAt",
      "users.name as adminName",
      "users.email as adminEmail",
    ])
}

type Joined = Omit<FullSetting, "updatedBy"> & { adminName: string | null; adminEmail: string | null }

function toFullSetting({ adminName, adminEmail, ...setting }: Joined): FullSetting {
  const isKnown = adminName !== null && adminEmail !== null
  return { ...setting, updatedBy: isKnown ? { name: adminName, email: adminEmail } : null }
}

export async function listFullSettings(db: Db): Promise<FullSetting[]> {
  const rows = await fullSettings(db).orderBy("settings.category").orderBy("settings.key").execute()
  return rows.map(toFullSetting)
}

export async function findFullSetting(db: Db, key: string): Promise<FullSetting | undefined> {
  const row = await fullSettings(db).where("settings.key", "=", key).executeTakeFirst()
  return row === undefined ? undefined : toFullSetting(row)
}
