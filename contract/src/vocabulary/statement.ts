/** Movements of a seller's balance, in their words. A kind without words does not compile. */
const statementKindLabels = {
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
export const statementKinds = /* @__PURE__ */ Object.keys(statementKindLabels) as StatementKind[]

interface Meaning {
  kind: StatementKind
  /** Files that were downloaded are compared with it, so it may change only next to the former one. */
  description: string
}

const plain = (kind: StatementKind): Meaning => ({ kind, description: statementKindLabels[kind] })

export const feeMeaning = plain("fee")

/** Each movement of the books as a seller's statement tells it; null for what moves no available balance. */
const movementMeanings = {
  payment: plain("sale"),
  "payment-accepted": plain("sale"),
  withdrawal: plain("withdrawal"),
  "withdrawal-returned": plain("withdrawal_returned"),
  payout: null,
  "payout-completed": { kind: "withdrawal", description: "Saque dado como não pago, e pago pelo banco" },
  "payout-returned": plain("withdrawal_returned"),
  refund: plain("refund"),
  "refund-completed": null,
  "refund-returned": plain("refund_returned"),
  "refund-by-bank": { kind: "refund", description: "Estorno feito pelo banco" },
  "dispute-blocked": plain("dispute"),
  "dispute-released": plain("dispute_released"),
  "reserve-held": plain("reserve"),
  "reserve-drawn": { kind: "reserve_released", description: "Retido: liberado para um débito" },
  "reserve-released": plain("reserve_released"),
  "own-payout": null,
  "bank-tariff": null,
  "capital-in": null,
  "bank-yield": null,
  correction: plain("correction"),
} as const satisfies Record<string, Meaning | null>
type MovementKind = keyof typeof movementMeanings

export function isMovementKind(word: string): word is MovementKind {
  return Object.hasOwn(movementMeanings, word)
}

/** An accepted payment's fee is a movement of its own, since it has two postings. Null for what moves no available balance. */
export function meaningOfMovement(kind: MovementKind, amountCents: number): Meaning | null {
  return kind === "payment-accepted" && amountCents < 0 ? feeMeaning : movementMeanings[kind]
}
