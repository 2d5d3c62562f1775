/** One canonical status per charge, as the database keeps it. Money states never go back. */
export const transactionStatuses = ["pending", "paid", "expired", "cancelled", "failed", "refunded"] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/** A charge is `creating` until the provider answered. Nobody sees it before. */
export const chargeStatuses = ["creating", ...transactionStatuses] as const
export type ChargeStatus = (typeof chargeStatuses)[number]

/** A new status doesn't compile until each of these is decided. */
const chargeFacts = {
  creating: { isOpen: true, isPaid: false, isRefundable: false, freesKey: false },
  pending: { isOpen: true, isPaid: false, isRefundable: false, freesKey: false },
  paid: { isOpen: false, isPaid: true, isRefundable: true, freesKey: false },
  expired: { isOpen: false, isPaid: false, isRefundable: false, freesKey: false },
  cancelled: { isOpen: false, isPaid: false, isRefundable: false, freesKey: false },
  failed: { isOpen: false, isPaid: false, isRefundable: false, freesKey: true },
  refunded: { isOpen: false, isPaid: true, isRefundable: false, freesKey: false },
} as const satisfies Record<ChargeStatus, Record<"isOpen" | "isPaid" | "isRefundable" | "freesKey", boolean>>

type OpenStatus = StatusWith<typeof chargeFacts, "isOpen">

/** Nothing became of it yet: its page's end ends it. */
export const openChargeStatuses = /* @__PURE__ */ statusesWith(chargeFacts, "isOpen")
/** Its money came, even where all of it went back since. */
export const paidStatuses = /* @__PURE__ */ statusesWith(chargeFacts, "isPaid")
/** No Pix was ever shown: it counts as never made, and its idempotency key is free again. */
export const failedStatuses = /* @__PURE__ */ statusesWith(chargeFacts, "freesKey")

export function isOpenCharge(status: ChargeStatus): status is OpenStatus {
  return chargeFacts[status].isOpen
}

export function isPaid(status: ChargeStatus): boolean {
  return chargeFacts[status].isPaid
}

export function isRefundable(status: ChargeStatus): boolean {
  return chargeFacts[status].isRefundable
}

/** The end of an open charge when its page ends. */
export const closedStatusOf = {
  creating: "failed",
  pending: "cancelled",
} as const satisfies Record<OpenStatus, TransactionStatus>

/** The status that lists and payers see. */
export function listedStatusOf(status: ChargeStatus): TransactionStatus {
  return status === "creating" ? "pending" : status
}

export const sellerStatusOf = {
  pending: "pendente",
  paid: "pago",
  expired: "expirado",
  cancelled: "cancelado",
  failed: "recusado",
  refunded: "estornado",
} as const satisfies Record<TransactionStatus, string>
export type SellerStatus = (typeof sellerStatusOf)[TransactionStatus]

export const payerStatusOf = {
  pending: "pendente",
  paid: "pago",
  expired: "expirado",
  cancelled: "cancelado",
  failed: "cancelado",
  refunded: "pago",
} as const satisfies Record<TransactionStatus, string>
export type PayerStatus = (typeof payerStatusOf)[TransactionStatus]

export const adminStatusOf = {
  pending: "pending",
  paid: "approved",
  expired: "cancelled",
  cancelled: "cancelled",
  failed: "failed",
  refunded: "refunded",
} as const satisfies Record<TransactionStatus, string>

export type AdminStatus = (typeof adminStatusOf)[TransactionStatus]

export const adminStatusLabels = {
  pending: "Pendente",
  approved: "Aprovada",
  failed: "Falhou",
  cancelled: "Cancelada",
  refunded: "Estornada",
} as const satisfies Record<AdminStatus, string>

const failedGroup = ["failed", "expired", "cancelled"] as const

/** Words that an admin may filter by: each word finds its whole group. */
export const adminStatusFilters = {
  approved: ["paid"],
  success: ["paid"],
  paid: ["paid"],
  pending: ["pending"],
  processing: ["pending"],
  failed: failedGroup,
  error: failedGroup,
  cancelled: failedGroup,
  refunded: ["refunded"],
} as const satisfies Record<string, readonly TransactionStatus[]>
export type AdminStatusFilter = keyof typeof adminStatusFilters
export const adminStatusFilterWords = /* @__PURE__ */ Object.keys(adminStatusFilters) as AdminStatusFilter[]

/** Words that a seller may filter by; 'aprovado' finds transactions that read aprovado or pago. */
export const sellerStatusFilters = {
  pendente: ["pending"],
  aprovado: ["paid"],
  pago: ["paid"],
  recusado: ["failed"],
  cancelado: ["cancelled"],
  expirado: ["expired"],
  estornado: ["refunded"],
} as const satisfies Record<string, readonly TransactionStatus[]>
export type SellerStatusFilter = keyof typeof sellerStatusFilters
export const sellerStatusFilterWords = /* @__PURE__ */ Object.keys(sellerStatusFilters) as SellerStatusFilter[]

export const sellerStatusLabels = {
  pendente: "Pendente",
  pago: "Pago",
  expirado: "Expirado",
  cancelado: "Cancelado",
  recusado: "Recusado",
  estornado: "Estornado",
} as const satisfies Record<SellerStatus, string>

/** 'processing': handed to the bank, outcome unknown. Both others are final. */
export const refundStatuses = ["processing", "completed", "refused"] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** States of a request, made at the counter, to undo a sale. 'refused': confirmed, and the bank gave nothing back. */
export const refundRequestStates = ["waiting", "confirmed", "declined", "refused"] as const
export type RefundRequestState = (typeof refundRequestStates)[number]

/** A new status doesn't compile until these are decided. */
const refundFacts = {
  processing: { isUnderWay: true, isLive: true },
  completed: { isUnderWay: false, isLive: true },
  refused: { isUnderWay: false, isLive: false },
} as const satisfies Record<RefundStatus, Record<"isUnderWay" | "isLive", boolean>>

/** The money went back, or is on its way. */
export const liveRefundStatuses = /* @__PURE__ */ statusesWith(refundFacts, "isLive")

export function isLiveRefund(status: RefundStatus): boolean {
  return refundFacts[status].isLive
}

export function isRefundUnderWay(status: RefundStatus): boolean {
  return refundFacts[status].isUnderWay
}

export const refundStatusLabels = {
  processing: "Em processamento",
  completed: "Concluído",
  refused: "Recusado pelo banco",
} as const satisfies Record<RefundStatus, string>

/** The side that began the refund. A refund by the bank (a dispute, or its own error) can't be refused here. */
export const refundOrigins = ["seller", "admin", "bank"] as const
export type RefundOrigin = (typeof refundOrigins)[number]

export const refundOriginLabels = {
  seller: "Vendedor",
  admin: "Administrador",
  bank: "Banco",
} as const satisfies Record<RefundOrigin, string>

/** Reasons to credit nobody: the money waits in the ledger's suspense account. */
export const uncreditedReasons = ["unknown_txid", "wrong_amount", "charge_already_paid"] as const

/** Reasons for an admin to check a payment. The last two were credited all the same. */
export const unmatchedPaymentReasons = [...uncreditedReasons, "late", "duplicate"] as const
export type UnmatchedPaymentReason = (typeof unmatchedPaymentReasons)[number]

/** 'returning': its refund is under way; it reopens if the bank refuses. */
export const unmatchedPaymentStatuses = ["open", "accepted", "returning", "returned"] as const
export type UnmatchedPaymentStatus = (typeof unmatchedPaymentStatuses)[number]

/** A new status doesn't compile until these are decided. */
const unmatchedPaymentFacts = {
  open: { isDecidable: true, isUnsettled: true },
  accepted: { isDecidable: false, isUnsettled: false },
  returning: { isDecidable: false, isUnsettled: true },
  returned: { isDecidable: false, isUnsettled: false },
} as const satisfies Record<UnmatchedPaymentStatus, Record<"isDecidable" | "isUnsettled", boolean>>

/** An admin may accept or return it. */
export function isOpenUnmatchedPayment(status: UnmatchedPaymentStatus): boolean {
  return unmatchedPaymentFacts[status].isDecidable
}

/** Whether its money stays here is not settled yet. */
export function isUnsettled(status: UnmatchedPaymentStatus): boolean {
  return unmatchedPaymentFacts[status].isUnsettled
}

export const unmatchedPaymentFilters = {
  open: unmatchedPaymentStatuses.filter(isOpenUnmatchedPayment),
  resolved: unmatchedPaymentStatuses.filter((status) => !isOpenUnmatchedPayment(status)),
  all: unmatchedPaymentStatuses,
} satisfies Record<string, readonly UnmatchedPaymentStatus[]>
export const unmatchedPaymentFilterWords = /* @__PURE__ */ Object.keys(
  unmatchedPaymentFilters,
) as (keyof typeof unmatchedPaymentFilters)[]

type Facts<Status extends string, Fact extends string> = Readonly<Record<Status, Readonly<Record<Fact, boolean>>>>

/** The statuses for which a fact is true, as a type. */
type StatusWith<Table extends Facts<string, string>, Fact extends string> = {
  [Status in keyof Table]: Table[Status][Fact] extends true ? Status : never
}[keyof Table]

/** The same as a list, in the table's order. */
export function statusesWith<Status extends string, Fact extends string, Table extends Facts<Status, Fact>>(
  table: Table & Facts<Status, Fact>,
  fact: Fact,
): StatusWith<Table, Fact>[] {
  const statuses = Object.keys(table) as Status[]
  return statuses.filter((status) => table[status][fact]) as unknown as StatusWith<Table, Fact>[]
}
