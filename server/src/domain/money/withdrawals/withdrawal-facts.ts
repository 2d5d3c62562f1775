import { isDeepStrictEqual } from "node:util"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import type { BankData } from "#db/money-tables"
import type { BankAccount } from "#domain/people/users/user"
import type { Destination } from "./withdrawal.ts"

/** Facts that help an admin decide about a pending request. */
export interface WithdrawalFacts {
  sellerSince: Date
  paidCount: number
  /** The median of the last ten paid withdrawals; null before the first. */
  usualCents: Cents | null
  /** Compared with the last paid withdrawal. */
  destination: "first" | "same" | "changed"
  /** True when the profile names the same account or key. */
  isInProfile: boolean
  profileChangedAt: Date | null
  /** The available balance that remains once it is paid; the amount has already left it. */
  balanceAfterCents: Cents
  /** True when the key is the seller's own CPF or CNPJ. */
  isOwnDocument: boolean
  openRefunds: { count: number; amountCents: Cents }
}

export function comparedDestination(lastPaid: Destination | null, asked: Destination): WithdrawalFacts["destination"] {
  if (lastPaid === null) return "first"
  return isSameDestination(lastPaid, asked) ? "same" : "changed"
}

/** Compares only the parts of a destination that decide where the money arrives. */
function isSameDestination(one: Destination, other: Destination): boolean {
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
