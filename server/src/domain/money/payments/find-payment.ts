import type { Db } from "#db/transaction"
import { findPaymentRow, type Payment } from "./payments-repository.ts"

export type { Payment } from "./payments-repository.ts"

/** A payment as booked, which never changes. */
export async function findPayment(db: Db, endToEndId: string): Promise<Payment | null> {
  return findPaymentRow(db, endToEndId)
}
