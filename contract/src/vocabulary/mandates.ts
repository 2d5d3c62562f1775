export const mandateStatusLabels = {
  draft: "Preparando",
  waiting: "Aguardando autorização",
  approved: "Ativa",
  rejected: "Recusada",
  expired: "Encerrada",
  cancelled_by_payer: "Cancelada pelo cliente",
  cancelled_by_us: "Cancelada",
  cancelled_by_bank: "Cancelada pelo banco",
} as const
export type MandateStatus = keyof typeof mandateStatusLabels
export const mandateStatuses = /* @__PURE__ */ Object.keys(mandateStatusLabels) as MandateStatus[]

/** May still be approved, or is. */
const liveMandateStatuses = ["draft", "waiting", "approved"] as const satisfies readonly MandateStatus[]

export function isLiveMandate(status: MandateStatus): boolean {
  return (liveMandateStatuses as readonly MandateStatus[]).includes(status)
}

/** Words for one that is paused: nothing is debited until the seller goes on with it. */
export const restLabels = {
  disputed: "O cliente contestou um débito no banco dele. Fale com ele antes de continuar.",
  same_bank: "O banco do cliente não debita a favor deste banco. As cobranças vão por link.",
  account_closed: "A conta do cliente não serve mais. Peça uma nova autorização.",
  debtor_differs: "O CPF ou CNPJ do cliente não é o da conta dele. Corrija o cadastro e peça uma nova autorização.",
  receiver_differs: "A conta que recebe mudou. Peça uma nova autorização.",
} as const
export type RestReason = keyof typeof restLabels
export const restReasons = /* @__PURE__ */ Object.keys(restLabels) as RestReason[]

export const debitStatusLabels = {
  created: "Enviado ao banco",
  scheduled: "Agendado",
  paid: "Pago",
  failed: "Não foi debitado",
  cancelled: "Cancelado",
} as const
export type DebitStatus = keyof typeof debitStatusLabels
export const debitStatuses = /* @__PURE__ */ Object.keys(debitStatusLabels) as DebitStatus[]

export const retryPolicies = ["none", "three_in_seven_days"] as const
export type RetryPolicy = (typeof retryPolicies)[number]

/** 2: authorises only; 3: pays now and authorises by one code; 4: pays a code of the bank, and authorises after it. */
export const mandateJourneys = [2, 3, 4] as const
export type MandateJourney = (typeof mandateJourneys)[number]

export const attemptKinds = ["first", "later_day", "same_day"] as const
export const attemptOutcomes = ["requested", "scheduled", "paid", "rejected", "expired", "cancelled"] as const
export type AttemptKind = (typeof attemptKinds)[number]
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/**
 * After a failure: `retry` where the policy allows another day, `link` for this cycle only, `renew` where this authorisation is
 * useless, `alarm` where it is a mistake of ours; the last three leave the invoice's link.
 */
interface DebitFailure {
  text: string
  next: "retry" | "link" | "renew" | "alarm"
  rests?: RestReason
}

const generic = "O banco do cliente não fez o débito."

/** The Central Bank's codes. Banks tell no more than funds, limit and operation, so the words stay as vague. */
const failures: Readonly<Record<string, DebitFailure>> = {
  AC05: { text: "A conta do cliente foi encerrada.", next: "renew", rests: "account_closed" },
  ACCT: { text: "A conta do cliente foi encerrada.", next: "renew", rests: "account_closed" },
  AC06: { text: "A conta do cliente está bloqueada.", next: "retry" },
  BLCK: { text: "A conta do cliente está bloqueada.", next: "retry" },
  AG12: { text: "O banco do cliente não debita a favor deste banco.", next: "link", rests: "same_bank" },
  AM02: { text: "O valor passa do limite que o cliente definiu.", next: "link" },
  AM09: { text: "O valor não é o autorizado.", next: "alarm" },
  DTED: { text: "O vencimento não cabe no período autorizado.", next: "alarm" },
  DENC: { text: "O documento do cliente não confere.", next: "renew", rests: "debtor_differs" },
  UDEI: { text: "O documento do cliente não confere.", next: "renew", rests: "debtor_differs" },
  CRNC: { text: "A conta que recebe não confere.", next: "renew", rests: "receiver_differs" },
  MSUC: { text: "A autorização não está confirmada no banco do cliente.", next: "link" },
  MIDI: { text: "O banco do cliente não conhece a autorização.", next: "link" },
  IRNT: { text: "A autorização não permite novas tentativas.", next: "link" },
  DTNT: { text: "A nova tentativa passou do prazo de 7 dias.", next: "link" },
  QUNT: { text: "As 3 novas tentativas já foram feitas.", next: "link" },
  NIEC: { text: "Já havia uma tentativa em andamento.", next: "link" },
  NIPA: { text: "O débito já tinha sido pago.", next: "link" },
  FCD1: { text: "O débito foi enviado cedo demais.", next: "alarm" },
  FCD2: { text: "O débito foi enviado tarde demais.", next: "alarm" },
  CCLD: { text: "O cliente cancelou o débito no banco dele.", next: "link" },
  SLCR: { text: "O débito foi cancelado.", next: "link" },
  SLBD: { text: "O cliente cancelou o débito no banco dele.", next: "link" },
  DS27: { text: generic, next: "link" },
  NITX: { text: generic, next: "alarm" },
  RC09: { text: generic, next: "link" },
}

const noFunds: DebitFailure = { text: "Não havia saldo, ou o limite do cliente não bastou.", next: "retry" }

/** Without a code, or with one that nobody knows, it was most likely for lack of funds. */
export function debitFailureOf(code: string | null): DebitFailure {
  return (code === null ? undefined : failures[code]) ?? noFunds
}
