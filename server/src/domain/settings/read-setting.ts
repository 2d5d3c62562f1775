import type { Db } from "#db/transaction"
import { basisPointsFromPercentage, type Cents, centsFromReais } from "#kit/money"
import { type DefaultSetting, defaultSettings, type KnownSettingKey } from "./default-settings.ts"
import { findSetting } from "./settings-repository.ts"

type WideValue<T> = T extends number ? number : T extends boolean ? boolean : string
type ValueOf<Key extends KnownSettingKey> = WideValue<(typeof defaultSettings)[Key]["value"]>

/** Read at every use and never kept: a new fee holds from the next request on, on every node. */
async function readSetting<Key extends KnownSettingKey>(db: Db, key: Key): Promise<ValueOf<Key>> {
  const fallback: DefaultSetting = defaultSettings[key]
  const stored = await findSetting(db, key)
  const isUsable = stored !== undefined && typeof stored.value === fallback.type
  return (isUsable ? stored.value : fallback.value) as ValueOf<Key>
}

export async function readFeeBasisPoints(db: Db): Promise<number> {
  return basisPointsFromPercentage(await readSetting(db, "TRANSACTION_FEE_PERCENTAGE"))
}

export async function readPixExpirationMinutes(db: Db): Promise<number> {
  return readSetting(db, "PIX_EXPIRATION_MINUTES")
}

export async function readWithdrawalsEnabled(db: Db): Promise<boolean> {
  return readSetting(db, "WITHDRAWALS_ENABLED")
}

export async function readMinWithdrawalCents(db: Db): Promise<Cents> {
  return centsFromReais(await readSetting(db, "MIN_WITHDRAWAL_AMOUNT"))
}

export async function readNotifiesAdminOnWithdrawal(db: Db): Promise<boolean> {
  return readSetting(db, "NOTIFY_ADMIN_ON_WITHDRAWAL")
}

export async function readNotifiesSellerOnPayment(db: Db): Promise<boolean> {
  return readSetting(db, "NOTIFY_SELLER_ON_PAYMENT")
}
