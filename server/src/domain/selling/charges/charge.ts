import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { ChargeRemoval, ChargeStatus } from "#db/charge-tables"
import type { Cents } from "#kit/money"

/** One Pix asked for on a page. What it costs is frozen when it is made. */
export interface Charge {
  id: string
  sellerId: string
  /** Null for money that came for no page and was accepted for the seller. */
  pageId: string | null
  /** Null for an accepted unmatched payment: the provider was never asked for such a charge. */
  txid: string | null
  provider: string
  status: ChargeStatus
  amountCents: Cents
  feeBasisPoints: number
  feeCents: Cents
  netCents: Cents
  refundedCents: Cents
  /** The part of the fee that went back with it. */
  refundedFeeCents: Cents
  pageTitle: string
  description: string
  pixCode: string | null
  /** When the payer could first see the code. */
  openedAt: Date | null
  expiresAt: Date
  payer: PayerData
  idempotencyKey: string | null
  requestHash: Buffer | null
  endToEndId: string | null
  paidAt: Date | null
  isLate: boolean
  isDuplicate: boolean
  removal: ChargeRemoval
  createdAt: Date
  updatedAt: Date
}

/** A charge as a payer asks for it: on a page, under a txid. */
export type AskedCharge = Charge & { pageId: string; txid: string }

/** One whose code the payer may see. */
export type OpenCharge = AskedCharge & { pixCode: string }

export interface PayerData {
  name: string | null
  email: string | null
  cpf: string | null
  phone: string | null
}

/** The bank may have taken the money in the very last second, so 'expired' waits for its word a little. */
export const GRACE_MS = 3_000

export function chargeStatusAt(charge: Pick<Charge, "status" | "expiresAt">, now: Date): ChargeStatus {
  const isOver = charge.status === "pending" && charge.expiresAt.getTime() + GRACE_MS <= now.getTime()
  return isOver ? "expired" : charge.status
}

/** As people see it: what is being created has no name of its own. */
export type ListedCharge = Charge & { status: TransactionStatus }

export function asListed<C extends Charge>(charge: C, now: Date): C & { status: TransactionStatus } {
  const status = chargeStatusAt(charge, now)
  return { ...charge, status: status === "creating" ? "pending" : status }
}
