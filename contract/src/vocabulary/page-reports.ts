/** The reasons for which a payer may report a page, in the order in which they are offered. */
export const pageReportReasonLabels = {
  scam: "Golpe ou cobrança falsa",
  impersonation: "Finge ser outra pessoa, empresa ou órgão público",
  not_delivered: "Paguei e não recebi o que foi prometido",
  illegal: "Produto ou serviço ilegal",
  other: "Outro motivo",
} as const
export type PageReportReason = keyof typeof pageReportReasonLabels
export const pageReportReasons = Object.keys(pageReportReasonLabels) as PageReportReason[]

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
