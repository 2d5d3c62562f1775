import { encodeStatic } from "@tilinta/brcode/encode"
import { secondsAfter } from "#kit/clock"
import type { Withdrawal } from "#money/withdrawals/withdrawal"

/** So long nobody else pays what one administrator is paying. */
const CLAIM_SECONDS = 600

export interface HandPayout {
  withdrawalId: string
  claimedBy: string | null
  claimedAt: Date | null
  bankId: string | null
}

export interface Claim {
  by: { id: string; name: string }
  at: Date
  expiresAt: Date
}

export function endOfClaim(claimedAt: Date): Date {
  return secondsAfter(claimedAt, CLAIM_SECONDS)
}

/** A claim that is over without a word is open still: its administrator may have paid. */
export function isClaimed({ claimedAt }: Pick<HandPayout, "claimedAt">, now: Date): boolean {
  return claimedAt !== null && endOfClaim(claimedAt) > now
}

const SILENT_SECONDS = 86_400

/** From then on a person may look at the bank in the place of a return that never came. */
export function isSilent({ at }: { at: Date }, now: Date): boolean {
  return secondsAfter(at, SILENT_SECONDS) <= now
}

const TXID_LENGTH = 25

/** The withdrawal's id in as many letters and digits as a static code takes; the case doesn't matter. */
export function txidOf(withdrawalId: string): string {
  return BigInt(`0x${withdrawalId.replaceAll("-", "")}`)
    .toString(36)
    .toUpperCase()
    .padStart(TXID_LENGTH, "0")
}

/** The bank shows the name that it knows itself; ours is only for codes whose writer has one. */
function writtenNameOf(name: string): string {
  return /[A-Za-z0-9]/.test(name.normalize("NFKD")) ? name : "Recebedor"
}

export interface PayoutCode {
  text: string
  txid: string
}

/** Null for a bank account. */
export function codeOf(
  { id, amountCents, destination }: Pick<Withdrawal, "id" | "amountCents" | "destination">,
  sellerName: string,
): PayoutCode | null {
  if (destination.method !== "pix") return null
  const txid = txidOf(id)
  const { key } = destination.pixKey
  const merchantName = writtenNameOf(sellerName)
  return { text: encodeStatic({ key, amountCents, txid, merchantName, merchantCity: "BRASIL" }), txid }
}

/** True of the name that a completion by the statement or by a remittance's return has where the bank tells no id. */
export function isOurName(bankId: string): boolean {
  return /^(extrato [\da-f-]{36}|remessa \d+\/\d+)$/.test(bankId)
}
