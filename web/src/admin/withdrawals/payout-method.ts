import { methodLabels } from "#format/withdrawal-destination.ts"

const labels: Readonly<Record<string, string>> = { ...methodLabels, ted: "TED", doc: "DOC" }

/** Also the words of older books. */
export function payoutMethodLabel(method: string): string {
  return labels[method] ?? method
}
