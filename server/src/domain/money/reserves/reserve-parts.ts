import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Part } from "./reserves-repository.ts"

/** The first of these parts, together no more than the amount. */
export function partsWithin(parts: readonly Part[], mostCents: Cents): Part[] {
  let left = mostCents
  return parts.flatMap((part) => {
    const cents = Math.max(Math.min(part.cents, left), 0) as Cents
    left = subtractCents(left, cents)
    return cents > noMoney ? [{ ...part, cents }] : []
  })
}
