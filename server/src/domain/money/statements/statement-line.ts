import { type StatementKind, statementKindLabels } from "@tilinta/contract/vocabulary/statement"
import { invariant } from "#kit/invariant"
import { addCents, type Cents, noMoney, subtractCents } from "#kit/money"
import type { LedgerTransaction } from "#ledger/post-transactions"

type MovementKind = LedgerTransaction["kind"] | "payment"

/** A movement of the available balance, as it is kept: a payment with its fee. */
export interface Movement {
  at: Date
  /** The place among the seller's movements, for cursors. */
  position: string
  kind: MovementKind
  reference: string
  chargeId: string | null
  amountCents: Cents
  feeCents: Cents
  balanceCents: Cents
}

export interface StatementLine {
  /** Unique among the seller's lines, for ever. */
  name: string
  at: Date
  kind: StatementKind
  description: string
  amountCents: Cents
  balanceCents: Cents
  reference: string
  chargeId: string | null
}

interface Meaning {
  kind: StatementKind
  description: string
}

const plain = (kind: StatementKind): Meaning => ({ kind, description: statementKindLabels[kind] })

/** Null for what moves no available balance. */
const meanings: Record<MovementKind, Meaning | null> = {
  payment: plain("sale"),
  "payment-accepted": plain("sale"),
  withdrawal: plain("withdrawal"),
  "withdrawal-returned": plain("withdrawal_returned"),
  payout: null,
  "payout-completed": { kind: "withdrawal", description: "Saque dado como não pago, e pago pelo banco" },
  "payout-returned": plain("withdrawal_returned"),
  refund: plain("refund"),
  "refund-completed": null,
  "refund-returned": plain("refund_returned"),
  "refund-by-bank": { kind: "refund", description: "Estorno feito pelo banco" },
  "dispute-blocked": plain("dispute"),
  "dispute-released": plain("dispute_released"),
  "reserve-held": plain("reserve"),
  "reserve-drawn": { kind: "reserve_released", description: "Retido: liberado para um débito" },
  "reserve-released": plain("reserve_released"),
  "own-payout": null,
  "bank-tariff": null,
  "capital-in": null,
  "bank-yield": null,
  correction: plain("correction"),
}

const feeMeaning = plain("fee")

/** An accepted payment's fee is a movement of its own, since it has two postings. */
function meaningOf({ kind, amountCents }: Pick<Movement, "kind" | "amountCents">): Meaning {
  if (kind === "payment-accepted" && amountCents < noMoney) return feeMeaning
  const meaning = meanings[kind]
  invariant(meaning !== null, `${kind} moves no available balance`)
  return meaning
}

/** As sellers read it: the gross amount, then the fee on a line of its own. */
export function linesOf(movement: Movement): StatementLine[] {
  const { at, reference, chargeId, amountCents, feeCents, balanceCents } = movement
  const lineOf = (meaning: Meaning, cents: Cents, afterCents: Cents): StatementLine => ({
    name: `${movement.kind}/${meaning.kind}/${reference}`,
    ...{ at, reference, chargeId, ...meaning, amountCents: cents, balanceCents: afterCents },
  })
  const first = lineOf(meaningOf(movement), amountCents, addCents(balanceCents, feeCents))
  if (feeCents === noMoney) return [first]
  return [first, lineOf(feeMeaning, subtractCents(noMoney, feeCents), balanceCents)]
}
