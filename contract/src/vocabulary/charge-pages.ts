import { statusesWith } from "./transactions.ts"

export const chargePageStatuses = ["active", "completed", "expired", "cancelled"] as const
export type ChargePageStatus = (typeof chargePageStatuses)[number]

/** A page with a link of its own, or one that the API made for a single charge. */
export const chargePageKinds = ["page", "single"] as const
export type ChargePageKind = (typeof chargePageKinds)[number]

/** A new status doesn't compile until these are decided. */
const chargePageFacts = {
  active: { isPayable: true, isVisible: true, isEditable: true },
  completed: { isPayable: false, isVisible: true, isEditable: false },
  expired: { isPayable: false, isVisible: false, isEditable: true },
  cancelled: { isPayable: false, isVisible: false, isEditable: false },
} as const satisfies Record<ChargePageStatus, Record<"isPayable" | "isVisible" | "isEditable", boolean>>

/** A page that can be paid can also be cancelled, and may expire. */
export const payablePageStatuses = /* @__PURE__ */ statusesWith(chargePageFacts, "isPayable")

export function isPayablePage(status: ChargePageStatus): boolean {
  return chargePageFacts[status].isPayable
}

/** Payers see the page; any other counts as nonexistent. */
export function isVisiblePage(status: ChargePageStatus): boolean {
  return chargePageFacts[status].isVisible
}

export function isEditablePage(status: ChargePageStatus): boolean {
  return chargePageFacts[status].isEditable
}

export const chargePageStatusLabels = {
  active: "Ativa",
  completed: "Concluída",
  expired: "Expirada",
  cancelled: "Cancelada",
} as const satisfies Record<ChargePageStatus, string>

/** The slug rule of the specification: lower case, no accents, only letters, digits and single hyphens. */
export function slugFromTitle(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9\s-]/g, "")
    .replace(/\s+/g, "-")
    .replace(/-+/g, "-")
}

/** Paths and files of the site, which a slug must not take. */
export const reservedSlugs: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "admin",
  "api",
  "assets",
  "checkout",
  "checkouts",
  "create",
  "dashboard",
  "developers",
  "error",
  "favicon",
  "forgot-password",
  "healthz",
  "login",
  "metrics",
  "payment",
  "profile",
  "readyz",
  "register",
  "reset-password",
  "robots",
  "simulador",
  "statement",
  "success",
  "transactions",
  "webhooks",
  "withdrawals",
])

/** The reasons for which a payer may report a page, in the order in which they are offered. */
export const pageReportReasonLabels = {
  scam: "Golpe ou cobrança falsa",
  impersonation: "Finge ser outra pessoa, empresa ou órgão público",
  not_delivered: "Paguei e não recebi o que foi prometido",
  illegal: "Produto ou serviço ilegal",
  other: "Outro motivo",
} as const
export type PageReportReason = keyof typeof pageReportReasonLabels
export const pageReportReasons = /* @__PURE__ */ Object.keys(pageReportReasonLabels) as PageReportReason[]

export const pageReportStatuses = ["open", "suspended", "dismissed", "lifted"] as const
export type PageReportStatus = (typeof pageReportStatuses)[number]

export const pageReportStatusLabels = {
  open: "A decidir",
  suspended: "Página suspensa",
  dismissed: "Descartada",
  lifted: "Suspensão retirada",
} as const satisfies Record<PageReportStatus, string>

/** The words by which administrators filter. */
export const pageReportFilters = [...pageReportStatuses, "all"] as const
export type PageReportFilter = (typeof pageReportFilters)[number]

/** The page in place of its status, wherever it is shown. */
export const suspendedPageLabel = "Suspensa"
