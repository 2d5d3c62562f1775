import { statusesWith } from "./transactions.ts"
export type HandSettlementSubject = "withdrawal" | "refund"

/** A person's word for what became of a payout or refund that the bank never answers for. */
export const handSettlementOutcomes = ["paid", "not_paid"] as const
export type HandSettlementOutcome = (typeof handSettlementOutcomes)[number]

/** 'second_admin': another must say the same. 'sending': a worker may have been sending it, so it must be said again. */
export const handSettlementWaits = ["second_admin", "sending"] as const
export type HandSettlementWait = (typeof handSettlementWaits)[number]

/** From this long after it was sent on: until then the bank may still answer. */
export const SETTLED_BY_HAND_AFTER_HOURS = 24

/** A transfer in the Pix network starts with E, a return with D. */
export function isEndToEndId(text: string): boolean {
  return /^[DE][0-9A-Za-z]{31}$/.test(text)
}

/** How a debit of the bank's statement stands to the withdrawals that people pay. */
export const statementMatches = ["sure", "likely", "doubtful", "none", "known"] as const
export type StatementMatch = (typeof statementMatches)[number]

export const BANK_ID_MAX = 64

/** The endToEndId that a receipt's text holds; a text without one is the bank's id itself. */
export function bankIdIn(text: string): string {
  return /(?<![0-9A-Za-z])E\d{20}[0-9A-Za-z]{11}(?![0-9A-Za-z])/.exec(text)?.[0] ?? text.trim()
}

/** Everything that a withdrawal waits for before it is paid. */
export const waitReasonLabels = {
  not_authentic: "Não é como foi registrado",
  account_frozen: "Conta congelada",
  withdrawals_disabled: "Saques suspensos",
  seller_inactive: "Vendedor inativo",
  not_own: "Destino de outra pessoa",
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

/** The owner of a destination, by its key, by what the bank said of its holder, or by an administrator's word. */
export const destinationOwners = ["own", "confirmed_by_bank", "confirmed_by_person", "unknown", "other"] as const
export type DestinationOwner = (typeof destinationOwners)[number]
export type SaidOwner = Exclude<DestinationOwner, "own" | "unknown">

export const destinationOwnerLabels = {
  own: "CPF ou CNPJ do vendedor",
  confirmed_by_bank: "Do vendedor, conferido no banco",
  confirmed_by_person: "Do vendedor, confirmado por um administrador",
  unknown: "Titular não conferido",
  other: "De outra pessoa",
} as const satisfies Record<DestinationOwner, string>

/** A payment of a remittance: 'dropped' once a person saw at the bank that it was not made. */
export const remittanceStates = ["sent", "paid", "refused", "returned", "dropped"] as const

/** How often a seller is paid without asking. */
export const rulePeriods = ["day", "week", "month"] as const
export type RulePeriod = (typeof rulePeriods)[number]

/** Reasons for which no withdrawal is requested by itself any more, until its seller says so again. */
export const rulePauses = ["by_owner", "frozen", "failed"] as const
export type RulePause = (typeof rulePauses)[number]

/** One canonical status per withdrawal, as the database keeps it and the admin reads it. */
export const withdrawalStatuses = ["pending", "approved", "processing", "completed", "rejected", "cancelled"] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

/** A new status doesn't compile until it is decided where the money is. */
const withdrawalFacts = {
  pending: { isDecidable: true, isHeld: true, isSent: false, isReturned: false },
  approved: { isDecidable: false, isHeld: true, isSent: false, isReturned: false },
  processing: { isDecidable: false, isHeld: true, isSent: true, isReturned: false },
  completed: { isDecidable: false, isHeld: false, isSent: true, isReturned: false },
  rejected: { isDecidable: false, isHeld: false, isSent: false, isReturned: true },
  cancelled: { isDecidable: false, isHeld: false, isSent: false, isReturned: true },
} as const satisfies Record<WithdrawalStatus, Record<"isDecidable" | "isHeld" | "isSent" | "isReturned", boolean>>

/** The money left the available balance, and has not reached the seller's bank. */
export const heldWithdrawalStatuses = /* @__PURE__ */ statusesWith(withdrawalFacts, "isHeld")
/** Handed to the bank. */
export const sentWithdrawalStatuses = /* @__PURE__ */ statusesWith(withdrawalFacts, "isSent")
/** The money is back in the available balance. */
export const returnedWithdrawalStatuses = /* @__PURE__ */ statusesWith(withdrawalFacts, "isReturned")

/** An admin may approve or reject it, its seller may cancel it. */
export function isDecidable(status: WithdrawalStatus): boolean {
  return withdrawalFacts[status].isDecidable
}

export const withdrawalStatusLabels = {
  pending: "Pendente",
  approved: "Aprovado",
  processing: "Processando",
  completed: "Concluído",
  rejected: "Rejeitado",
  cancelled: "Cancelado",
} as const satisfies Record<WithdrawalStatus, string>

/** Sellers read approved until the money has left: sending it is the platform's own step. */
export const sellerWithdrawalStatusOf = {
  pending: "pending",
  approved: "approved",
  processing: "approved",
  completed: "completed",
  rejected: "rejected",
  cancelled: "cancelled",
} as const satisfies Record<WithdrawalStatus, string>
export type SellerWithdrawalStatus = (typeof sellerWithdrawalStatusOf)[WithdrawalStatus]

/** Words that a seller may filter by. */
export const sellerWithdrawalFilters = {
  pending: ["pending"],
  approved: ["approved", "processing"],
  completed: ["completed"],
  rejected: ["rejected"],
  cancelled: ["cancelled"],
} as const satisfies Record<SellerWithdrawalStatus, readonly WithdrawalStatus[]>
export const sellerWithdrawalFilterWords = /* @__PURE__ */ Object.keys(
  sellerWithdrawalFilters,
) as SellerWithdrawalStatus[]

/** The reason for which an approved withdrawal is not sent to the bank; `held` stands for those that end by themselves. */
export const withdrawalWaits = [
  "not_authentic",
  "withdrawals_disabled",
  "seller_inactive",
  "account_frozen",
  "not_own",
  "held",
] as const
export type WithdrawalWait = (typeof withdrawalWaits)[number]

export const withdrawalMethods = ["pix", "bank_transfer"] as const
export type WithdrawalMethod = (typeof withdrawalMethods)[number]

export const accountTypes = ["corrente", "poupanca"] as const
export type AccountType = (typeof accountTypes)[number]

export const accountTypeLabels = {
  corrente: "Conta corrente",
  poupanca: "Conta poupança",
} as const satisfies Record<AccountType, string>

/** The platform takes Pix only; the other words are accepted as filters and match nothing. */
export const paymentMethods = ["pix", "credit_card", "debit_card", "boleto", "bank_transfer"] as const
export type PaymentMethod = (typeof paymentMethods)[number]

export const paymentMethodLabels = {
  pix: "PIX",
  credit_card: "Cartão de Crédito",
  debit_card: "Cartão de Débito",
  boleto: "Boleto",
  bank_transfer: "Transferência",
} as const satisfies Record<PaymentMethod, string>
