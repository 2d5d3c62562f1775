/** Movements of a seller's balance, in their words. A kind without words does not compile. */
export const statementKindLabels = {
  sale: "Venda",
  fee: "Taxa da venda",
  refund: "Estorno",
  refund_returned: "Estorno não realizado",
  dispute: "Contestação",
  dispute_released: "Contestação: valor liberado",
  withdrawal: "Saque",
  withdrawal_returned: "Saque devolvido",
  reserve: "Retido até a data combinada",
  reserve_released: "Retido: valor liberado",
  correction: "Correção",
} as const
export type StatementKind = keyof typeof statementKindLabels
export const statementKinds = Object.keys(statementKindLabels) as StatementKind[]
