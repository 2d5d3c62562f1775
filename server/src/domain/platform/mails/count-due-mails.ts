import type { Tx } from "#db/transaction"
import { countDueRows } from "./mails-repository.ts"

/** Mails that could be sent now, counted up to `atMost`. */
export async function countDueMails(tx: Tx, wish: { now: Date; atMost: number }): Promise<number> {
  return countDueRows(tx, wish)
}
