import { createHash } from "node:crypto"
import type { Order } from "#platform/order-macs/macs"

export interface WrittenRemittance {
  sequence: number
  id: string
  fileDigest: string
  madeBy: string
  madeAt: Date
  lines: readonly { line: number; withdrawalId: string }[]
}

export function digestOf(file: string): string {
  return createHash("sha256").update(file).digest("hex")
}

/** Nobody checks a line again between the file and the bank, and a return completes the withdrawals that stand here. */
export function remittanceOrder({ sequence, id, fileDigest, madeBy, madeAt, lines }: WrittenRemittance): Order {
  const entries = lines.map(({ line, withdrawalId }) => [line, withdrawalId])
  const facts = [id, fileDigest, madeBy, madeAt.toISOString(), entries]
  return { act: "remittance.file", id: String(sequence), facts }
}
