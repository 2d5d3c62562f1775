/** How often a seller hears of payments by mail. */
export const paymentMailChoices = ["each", "daily", "none"] as const
export type PaymentMails = (typeof paymentMailChoices)[number]

export const paymentMailLabels = {
  each: "A cada pagamento",
  daily: "Um resumo por dia",
  none: "Nenhum",
} as const satisfies Record<PaymentMails, string>
