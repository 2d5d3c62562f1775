import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { feeMeaning, meaningOfMovement, type StatementKind } from "@tilinta/contract/vocabulary/statement"
import { invariant } from "#kit/errors"
import type { LedgerTransaction } from "#ledger/post-transactions"

/** A movement of the available balance, as it is kept: a payment with its fee. */
export interface Movement {
  at: Date
  /** The place among the seller's movements, for cursors. */
  position: string
  kind: LedgerTransaction["kind"] | "payment"
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

type Meaning = Pick<StatementLine, "kind" | "description">

function meaningOf({ kind, amountCents }: Pick<Movement, "kind" | "amountCents">): Meaning {
  const meaning = meaningOfMovement(kind, amountCents)
  invariant(meaning !== null, `${kind} moves no available balance`)
  return meaning
}

/** As sellers read it: the gross amount, then the fee on a line of its own. */
export function linesOf(movement: Movement): StatementLine[] {
  const { at, reference, chargeId, amountCents, feeCents, balanceCents } = movement
  const lineOf = (meaning: Meaning, cents: Cents, afterCents: Cents): StatementLine => ({
    name: `${movement.kind}/${meaning.kind}/${reference}`,
    at,
    reference,
    chargeId,
    ...meaning,
    amountCents: cents,
    balanceCents: afterCents,
  })
  const first = lineOf(meaningOf(movement), amountCents, addCents(balanceCents, feeCents))
  if (feeCents === noMoney) return [first]
  return [first, lineOf(feeMeaning, subtractCents(noMoney, feeCents), balanceCents)]
}
