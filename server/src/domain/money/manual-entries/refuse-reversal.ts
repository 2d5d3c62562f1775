import { addCents, reaisText, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { brokenRule, DomainError } from "#kit/domain-error"
import type { ManualEntry } from "./manual-entry.ts"
import { findReversedEvent, lockEvent, sumReversals } from "./reversed-events-repository.ts"

/** An entry reverses only what was booked, of its own seller, and all of them together never more than its amount. */
export async function refuseReversal(
  tx: Tx,
  { reverses, amountCents, sellerId }: Pick<ManualEntry, "reverses" | "amountCents" | "sellerId">,
): Promise<void> {
  if (reverses === null) return
  const event = await findReversedEvent(tx, reverses)
  if (event === null) {
    throw brokenRule("reverses", "Não há nada lançado com este nome: informe o endToEndId ou o id do que é corrigido.")
  }
  if (sellerId !== null && event.sellerId !== null && event.sellerId !== sellerId) {
    throw brokenRule("reverses", "Este lançamento é de outro vendedor.")
  }
  await lockEvent(tx, event.names.toSorted().join(" "))
  const earlier = await sumReversals(tx, event.names)
  if (addCents(earlier, amountCents) <= event.amountCents) return
  const left = reaisText(subtractCents(event.amountCents, earlier))
  throw new DomainError("event_corrected", { message: `Deste lançamento só falta corrigir ${left}.` })
}
