import type { Destination } from "#domain/money/withdrawals/withdrawal"

/** Names where the money arrives. Another way to write it is another target, which waits: never the other way round. */
export function targetOf(destination: Destination): string {
  if (destination.method === "pix") return `pix:${destination.pixKey.key}`
  const { bank, agency, account, accountType } = destination.bankData
  return JSON.stringify([bank, agency, account, accountType].map((part) => part.trim().toLowerCase()))
}
