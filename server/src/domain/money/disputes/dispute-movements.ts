import type { Dispute } from "./dispute.ts"

/** How money moves between available and blocked; what the bank took is booked as a refund. */
export const disputeKinds = ["dispute-blocked", "dispute-released"] as const

export function movementName({ id }: Pick<Dispute, "id">, number: number): string {
  return `${id}/${number}`
}

/** The names of all that was booked for these disputes. */
export function movementsOf(disputes: Pick<Dispute, "id" | "movements">[]): string[] {
  return disputes.flatMap((dispute) =>
    Array.from({ length: dispute.movements }, (_, index) => movementName(dispute, index + 1)),
  )
}
