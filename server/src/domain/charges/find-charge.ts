import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { chargeStatusAt } from "./charge.ts"
import { findChargeRow } from "./charges-repository.ts"

/** What the payer may know of a Pix: one word. */
export async function getPaymentStatus({ db, clock }: { db: Db; clock: Clock }, id: string): Promise<PayerStatus> {
  const charge = isId(id) ? await findChargeRow(db, id) : null
  if (charge === null) throw new DomainError("transaction_not_found")
  const status = chargeStatusAt(charge, clock.now())
  return status === "creating" ? payerStatusOf.pending : payerStatusOf[status]
}
