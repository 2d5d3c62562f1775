import type { Destination } from "#domain/money/withdrawals/withdrawal"

/** Names where the money arrives. Another way to write it is another target, which waits: never the other way round. */
export function targetOf(destination: Destination): string {
  if (destination.method === "pix") return `pix:${destination.pixKey.key}`
  const { bank, agency, account, accountType } = destination.bankData
  return JSON.stringify([bank, agency, account, accountType].map((part) => part.trim().toLowerCase()))
}

/** The same name for all spellings, like the database's shared_target(): for sums, which may take two for one but never the other way round. */
export function sharedTargetOf(destination: Destination): string {
  if (destination.method === "pix") return destination.pixKey.key
  const { bank, agency, account } = destination.bankData
  return [bank, agency, account].map(plain).join(" ")
}

function plain(part: string): string {
  const folded = part.normalize("NFD").toLowerCase()
  return folded.replaceAll(/[^a-z0-9]/g, "").replace(/^0+/, "")
}
