/** 'open' and 'defended' wait for the bank; the others are final. */
export const disputeStates = ["open", "defended", "accepted", "rejected", "cancelled"] as const
export type DisputeState = (typeof disputeStates)[number]

export const disputeStateLabels = {
  open: "Em aberto",
  defended: "Em análise no banco",
  accepted: "Aceita: valor devolvido",
  rejected: "Recusada: valor liberado",
  cancelled: "Cancelada: valor liberado",
} as const satisfies Record<DisputeState, string>

export const disputeReasons = [
  "fraud",
  "account_takeover",
  "coercion",
  "unauthorised_access",
  "operational",
  "other",
] as const
export type DisputeReason = (typeof disputeReasons)[number]

export const disputeReasonLabels = {
  fraud: "Golpe ou fraude",
  account_takeover: "Conta do pagador tomada por terceiros",
  coercion: "Coação",
  unauthorised_access: "Acesso fraudulento à conta do pagador",
  operational: "Falha operacional do banco",
  other: "Outro motivo",
} as const satisfies Record<DisputeReason, string>

/** 'kept': the provider accepts no texts, so an admin hands the defence over. */
export const defenceStates = ["none", "waiting", "sent", "kept", "refused"] as const
export type DefenceState = (typeof defenceStates)[number]

export const defenceStateLabels = {
  none: "Sem defesa",
  waiting: "A caminho do banco",
  sent: "Entregue ao banco",
  kept: "Com o suporte, que a leva ao banco",
  refused: "Recusada pelo banco",
} as const satisfies Record<DefenceState, string>

/** 'live': money is or may have to be blocked; 'released': the seller kept it. */
export const disputeFilterWords = ["live", "accepted", "released", "all"] as const
export type DisputeFilterWord = (typeof disputeFilterWords)[number]
