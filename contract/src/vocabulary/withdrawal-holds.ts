/** Why a withdrawal waits before it may be approved. */
export const holdReasonLabels = {
  new_destination: "Destino novo",
  recovery: "Senha, e-mail ou conta alterados há pouco",
  daily_limit: "Acima do limite diário do vendedor",
  platform_limit: "Acima do limite diário da plataforma",
} as const
export type HoldReason = keyof typeof holdReasonLabels
export const holdReasons = Object.keys(holdReasonLabels) as HoldReason[]

/** How a seller proved at a destination's first use who they are. */
export const destinationProofs = ["password", "second_factor"] as const
export type DestinationProof = (typeof destinationProofs)[number]

/** Whether the receiver of a key is the seller: known by the key itself, checked by the bank when it is paid, or unknown. */
export const keyHolders = ["seller", "checked_by_bank", "unchecked"] as const
export type KeyHolder = (typeof keyHolders)[number]
