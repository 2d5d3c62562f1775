export interface PaymentsLimitForm {
  acceptsMany: boolean
  maxPayments: string
}

/**
 * One by default; many means no limit unless one was written. Text that isn't a number is left to the schema to refuse.
 */
export function maxPaymentsBody({ acceptsMany, maxPayments }: PaymentsLimitForm): number | null {
  if (!acceptsMany) return 1
  return maxPayments.trim() === "" ? null : Number(maxPayments)
}

export function paymentsLimitOf(maxPayments: number | null): PaymentsLimitForm {
  if (maxPayments === 1) return { acceptsMany: false, maxPayments: "" }
  return { acceptsMany: true, maxPayments: maxPayments === null ? "" : String(maxPayments) }
}
