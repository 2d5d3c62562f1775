/** The kinds of entry that a daily close compares. */
export const closeKinds = ["receipt", "refund", "payout"] as const
export type CloseKind = (typeof closeKinds)[number]

/** 'balance': our account at the provider against the rows that moved it. */
export const differenceKinds = [...closeKinds, "balance"] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const differenceProblems = [
  "missing_with_us",
  "missing_at_bank",
  "other_amount",
  "other_state",
  "unreadable",
] as const
export type DifferenceProblem = (typeof differenceProblems)[number]

export const differenceKindLabels = {
  receipt: "Recebimento",
  refund: "Estorno ou devolução",
  payout: "Envio",
  balance: "Saldo",
} as const satisfies Record<DifferenceKind, string>

export const differenceProblemLabels = {
  missing_with_us: "Não consta na plataforma",
  missing_at_bank: "Não consta no banco",
  other_amount: "Valor diferente",
  other_state: "Situação diferente",
  unreadable: "Ilegível",
} as const satisfies Record<DifferenceProblem, string>

/**
 * 'waiting': not compared yet. 'checking': due for a first or another comparison. 'differences': of entries or of the
 * bank's balance. 'failed': the bank didn't answer.
 */
export const closeStatuses = ["waiting", "checking", "ok", "differences", "failed"] as const
export type CloseStatus = (typeof closeStatuses)[number]

/** Entries that people make. A kind without words does not compile. */
export const manualEntryLabels = {
  own_payout: "Retirada das taxas",
  bank_tariff: "Tarifa do banco",
  capital_in: "Aporte",
  yield: "Rendimento",
  correction: "Correção do saldo de um vendedor",
} as const
export type ManualEntryKind = keyof typeof manualEntryLabels
export const manualEntryKinds = /* @__PURE__ */ Object.keys(manualEntryLabels) as ManualEntryKind[]

/** The way in which a correction moves the seller's balance. */
export const correctionDirections = ["credit", "debit"] as const
export type CorrectionDirection = (typeof correctionDirections)[number]

/** Chart of accounts as administrators see it. A kind without words does not compile. */
export const accountKindLabels = {
  bank: "Banco",
  seller_available: "Vendedores: saldo disponível",
  seller_reserved: "Vendedores: a receber",
  seller_withdrawing: "Vendedores: em saque",
  seller_blocked: "Vendedores: bloqueado",
  seller_debt: "Vendedores: dívidas",
  suspense: "A conferir e em trânsito",
  fees: "Taxas",
  tariffs: "Tarifas e rendimentos do banco",
  capital: "Capital",
  corrections: "Correções",
} as const
export type AccountKind = keyof typeof accountKindLabels

/** Accounts that debits let grow: money that is there, and money that is owed to the platform. */
export const debitAccountKinds: readonly AccountKind[] = ["bank", "seller_debt"]
export const accountKinds = /* @__PURE__ */ Object.keys(accountKindLabels) as AccountKind[]
