import { statusesWith } from "./transactions.ts"

/** 'open' and 'defended' wait for the bank; the others are final. */
export const disputeStates = ["open", "defended", "accepted", "rejected", "cancelled"] as const
export type DisputeState = (typeof disputeStates)[number]

/** A new state doesn't compile until it is decided where the disputed money is. */
const disputeFacts = {
  open: { isOpen: true, isTaken: true, isReleased: false },
  defended: { isOpen: true, isTaken: true, isReleased: false },
  accepted: { isOpen: false, isTaken: true, isReleased: false },
  rejected: { isOpen: false, isTaken: false, isReleased: true },
  cancelled: { isOpen: false, isTaken: false, isReleased: true },
} as const satisfies Record<DisputeState, Record<"isOpen" | "isTaken" | "isReleased", boolean>>

/** The seller kept the money. */
export const releasedDisputeStates = /* @__PURE__ */ statusesWith(disputeFacts, "isReleased")

/** The bank has not decided. */
export function isOpenDispute(state: DisputeState): boolean {
  return disputeFacts[state].isOpen
}

/** The bank took the money, or may yet take it: so much stays blocked. */
export function isTakenOrOpen(state: DisputeState): boolean {
  return disputeFacts[state].isTaken
}

export const disputeStateLabels = {
  open: "Em aberto",
  defended: "Em análise no banco",
  accepted: "Aceita: valor estornado",
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

const mayDefend = {
  none: true,
  waiting: false,
  sent: false,
  kept: false,
  refused: true,
} as const satisfies Record<DefenceState, boolean>

/** No defence is on its way, or with the bank. */
export function mayBeDefended(state: DefenceState): boolean {
  return mayDefend[state]
}

export const defenceStateLabels = {
  none: "Sem defesa",
  waiting: "A caminho do banco",
  sent: "Entregue ao banco",
  kept: "Com o suporte, que vai encaminhá-la ao banco",
  refused: "Recusada pelo banco",
} as const satisfies Record<DefenceState, string>

/** 'live': money is or may have to be blocked; 'released': the seller kept it. */
export const disputeFilterWords = ["live", "accepted", "released", "all"] as const
export type DisputeFilterWord = (typeof disputeFilterWords)[number]
