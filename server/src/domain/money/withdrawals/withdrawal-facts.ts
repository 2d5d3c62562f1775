import { isDeepStrictEqual } from "node:util"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import type { BankData } from "#db/money-tables"
import type { BankAccount } from "#domain/people/users/user"
import type { Cents } from "#kit/money"
import type { Destination } from "./withdrawal.ts"

/** What helps to decide about a request that waits. */
export interface WithdrawalFacts {
  sellerSince: Date
  paidCount: number
  /** The median of the last ten that were paid; null before the first. */
  usualCents: Cents | null
  /** Beside the last one that was paid. */
  destination: "first" | "same" | "changed"
  /** Whether the profile names the same account or key. */
  isInProfile: boolean
  profileChangedAt: Date | null
  /** What stays available once this one is paid: it has left the balance already. */
  balanceAfterCents: Cents
  openRefunds: { count: number; amountCents: Cents }
}

/** Of two destinations only what decides where the money arrives. */
export function isSameDestination(one: Destination, other: Destination): boolean {
  return isDeepStrictEqual(targetOf(one), targetOf(other))
}

export function isProfilesDestination(destination: Destination, profile: Partial<BankAccount>): boolean {
  if (destination.method === "pix") return parsePixKey(profile.pixKey ?? "")?.key === destination.pixKey.key
  return isDeepStrictEqual(accountOf(destination.bankData), accountOf(profile))
}

function targetOf(destination: Destination): string[] {
  return destination.method === "pix" ? [destination.pixKey.key] : accountOf(destination.bankData)
}

function accountOf({ bank, agency, account }: Partial<BankData> | Partial<BankAccount>): string[] {
  return [bank ?? "", agency ?? "", account ?? ""]
}
