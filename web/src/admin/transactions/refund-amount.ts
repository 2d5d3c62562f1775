import { formatReais } from "#format/money-text.ts"

/** The reason why this amount can't be refunded; undefined when it can. */
export function refundProblem(amount: number | null, refundable: number): string | undefined {
  if (amount === null || amount <= 0) return "O valor do estorno deve ser maior que zero"
  return amount > refundable ? `O valor do estorno não pode passar de ${formatReais(refundable)}` : undefined
}
