import { methodLabels } from "#format/withdrawal-destination.ts"

const labels: Readonly<Record<string, string>> = { ...methodLabels, ted: "TED", doc: "DOC" }

/** Covers payout methods of older rows too. */
export function payoutMethodLabel(method: string): string {
  return labels[method] ?? method
}
