/** The platform takes Pix; the other words may be filtered by and find nothing. */
export const paymentMethods = ["pix", "credit_card", "debit_card", "boleto", "bank_transfer"] as const
