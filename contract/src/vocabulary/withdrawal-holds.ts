/** Everything that a withdrawal waits for before it is paid. */
export const waitReasonLabels = {
  account_frozen: "Conta congelada",
  withdrawals_disabled: "Saques suspensos",
  seller_inactive: "Vendedor inativo",
  new_destination: "Destino novo",
  recovery: "Senha, e-mail ou conta alterados há pouco",
  daily_limit: "Acima do limite diário do vendedor",
  platform_limit: "Acima do limite diário da plataforma",
  second_approval: "Falta a aprovação de outro administrador",
} as const
export type WaitReason = keyof typeof waitReasonLabels

/** Reasons that end by themselves, at a moment which the request knows. */
export const holdReasons = [
  "new_destination",
  "recovery",
  "daily_limit",
  "platform_limit",
] as const satisfies readonly WaitReason[]
export type HoldReason = (typeof holdReasons)[number]

/** 'destino novo; acima do limite diário do vendedor', for the middle of a sentence. */
export function waitReasonsText(reasons: readonly WaitReason[]): string {
  return reasons.map((reason) => waitReasonLabels[reason].toLowerCase()).join("; ")
}

/** How a seller proved at a destination's first use who they are. */
export const destinationProofs = ["password", "second_factor"] as const
export type DestinationProof = (typeof destinationProofs)[number]

/** Whether the receiver of a key is the seller: known by the key itself, checked by the bank when it is paid, or unknown. */
export const keyHolders = ["seller", "checked_by_bank", "unchecked"] as const
export type KeyHolder = (typeof keyHolders)[number]
