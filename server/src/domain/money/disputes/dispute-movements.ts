import type { Dispute } from "./dispute.ts"

/** Movements between available and blocked; debits by the bank are booked as refunds. */
export const disputeKinds = ["dispute-blocked", "dispute-released"] as const

export function movementName({ id }: Pick<Dispute, "id">, number: number): string {
  return `${id}/${number}`
}

/** References of all transactions booked for these disputes. */
export function movementsOf(disputes: Pick<Dispute, "id" | "movements">[]): string[] {
  return disputes.flatMap((dispute) =>
    Array.from({ length: dispute.movements }, (_, index) => movementName(dispute, index + 1)),
  )
}
