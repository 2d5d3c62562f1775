/** The platform takes Pix only; the other words are accepted as filters and match nothing. */
export const paymentMethods = ["pix", "credit_card", "debit_card", "boleto", "bank_transfer"] as const
export type PaymentMethod = (typeof paymentMethods)[number]

export const paymentMethodLabels = {
  pix: "PIX",
  credit_card: "Cartão de Crédito",
  debit_card: "Cartão de Débito",
  boleto: "Boleto",
  bank_transfer: "Transferência",
} as const satisfies Record<PaymentMethod, string>
