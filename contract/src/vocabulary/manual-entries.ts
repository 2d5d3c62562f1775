/** Entries that people make. A kind without words does not compile. */
export const manualEntryLabels = {
  own_payout: "Retirada das taxas",
  bank_tariff: "Tarifa do banco",
  capital_in: "Aporte",
  yield: "Rendimento",
  correction: "Correção do saldo de um vendedor",
} as const
export type ManualEntryKind = keyof typeof manualEntryLabels
export const manualEntryKinds = Object.keys(manualEntryLabels) as ManualEntryKind[]

/** The way in which a correction moves the seller's balance. */
export const correctionDirections = ["credit", "debit"] as const
export type CorrectionDirection = (typeof correctionDirections)[number]
