import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  id,
  isoDateTime,
  partOfList,
  personReference,
  success,
  successWithMessage,
  text,
  userReference,
} from "./fields.ts"
import * as heads from "./heads.ts"
import {
  chargePageStatuses,
  pageReportFilters,
  pageReportReasons,
  pageReportStatuses,
} from "./vocabulary/charge-pages.ts"

const reason = z.enum(pageReportReasons, "Escolha o motivo da denúncia.")

/** Answers alike whether or not the report counted, so that nobody learns what others reported. */
export const reportPageEndpoint = defineEndpoint("reportPage", heads.reportPage, {
  audience: "public",
  tag: "Páginas de cobrança",
  summary: "Denuncia uma página de cobrança; conta uma vez por dia de cada endereço",
  params: z.object({ link: z.string() }),
  body: z.object({ reason }),
  reply: { status: 201, schema: z.object({ status: z.literal("success"), message: z.string() }) },
})

/** The reports of one page that are decided together. */
export const pageReportView = z.object({
  _id: id,
  status: z.enum(pageReportStatuses),
  /** The most frequent first. */
  reasons: z.array(z.object({ reason: z.enum(pageReportReasons), count: z.int() })),
  reportsCount: z.int(),
  /** How often reports of this page were dismissed before. */
  dismissedBefore: z.int(),
  createdAt: isoDateTime,
  lastReportedAt: isoDateTime,
  checkoutPage: z.object({
    _id: id,
    title: z.string(),
    description: z.string(),
    amount: z.number(),
    uniqueLink: z.string(),
    status: z.enum(chargePageStatuses),
    paymentsCount: z.int(),
    /** True when its seller has deleted it. */
    isDeleted: z.boolean(),
  }),
  user: userReference,
  /** Why it was suspended; null while it never was. */
  suspendedFor: z.nullable(z.enum(pageReportReasons)),
  decidedBy: z.nullable(personReference),
  decidedAt: z.nullable(isoDateTime),
  liftedBy: z.nullable(personReference),
  liftedAt: z.nullable(isoDateTime),
})
export type PageReportView = z.infer<typeof pageReportView>

const tag = "Administração: denúncias"
const { limit, after } = partOfList(50)

export const listPageReportsEndpoint = defineEndpoint("listPageReports", heads.listPageReports, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "As páginas denunciadas, das denúncias mais novas às mais antigas; `after` continua depois de uma",
  query: z.object({ limit, after, status: z._default(z.enum(pageReportFilters, "Status desconhecido."), "open") }),
  reply: {
    status: 200,
    /** `next` is the cursor of the next part, null at the end; `open` counts to 100 at most. */
    schema: success(
      z.object({ reports: z.array(pageReportView), next: z.nullable(id), summary: z.object({ open: z.int() }) }),
    ),
  },
})

const params = z.object({ id: text(200) })
const decided = { status: 200, schema: successWithMessage(z.object({ report: pageReportView })) } as const

export const suspendReportedPageEndpoint = defineEndpoint("suspendReportedPage", heads.suspendReportedPage, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Suspende a página: os códigos abertos são encerrados, e o vendedor é avisado do motivo",
  params,
  /** The most frequent reason of the reports when absent. */
  body: z.pipe(
    z.nullish(z.object({ reason: z.nullish(reason) })),
    z.transform((body) => ({ reason: body?.reason ?? null })),
  ),
  reply: decided,
})

export const dismissPageReportEndpoint = defineEndpoint("dismissPageReport", heads.dismissPageReport, {
  audience: "admin",
  tag,
  summary: "Descarta as denúncias: a página continua aberta, e o vendedor não fica sabendo",
  params,
  reply: decided,
})

export const liftSuspensionEndpoint = defineEndpoint("liftSuspension", heads.liftSuspension, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Retira a suspensão: a página volta a receber; os códigos encerrados continuam encerrados",
  params,
  reply: decided,
})

const report: PageReportView = {
  _id: "0193a4c4-7c1a-7d3e-9b52-4f0d6c8e1a27",
  status: "open",
  reasons: [{ reason: "scam", count: 2 }],
  reportsCount: 2,
  dismissedBefore: 0,
  createdAt: "2026-11-21T12:00:00.000Z",
  lastReportedAt: "2026-11-21T12:30:00.000Z",
  checkoutPage: {
    _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
    title: "Mentoria de Vendas",
    description: "Um encontro por semana",
    amount: 100,
    uniqueLink: "8hT2kQ0vWm4ZpL1x",
    status: "active",
    paymentsCount: 0,
    isDeleted: false,
  },
  user: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
  suspendedFor: null,
  decidedBy: null,
  decidedAt: null,
  liftedBy: null,
  liftedAt: null,
}

const exampleDecision = {
  decidedBy: { _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bruno Dias" },
  decidedAt: "2026-11-21T13:00:00.000Z",
}
const suspended: PageReportView = { ...report, status: "suspended", suspendedFor: "scam", ...exampleDecision }
const lifted: PageReportView = {
  ...suspended,
  status: "lifted",
  liftedBy: exampleDecision.decidedBy,
  liftedAt: "2026-11-22T09:00:00.000Z",
}
const exampleParams = { id: report._id }

export const pageReportsExamples = [
  defineExample(reportPageEndpoint, {
    params: { link: "8hT2kQ0vWm4ZpL1x" },
    body: { reason: "scam" },
    reply: { status: "success", message: "Recebemos a sua denúncia. Uma pessoa vai olhar esta página." },
    failures: ["public_charge_page_not_found", "charge_page_suspended", "too_many_requests"],
  }),
  defineExample(listPageReportsEndpoint, {
    query: { limit: "50", status: "open" },
    data: { reports: [report], next: null, summary: { open: 1 } },
    failures: [],
  }),
  defineExample(suspendReportedPageEndpoint, {
    params: exampleParams,
    body: { reason: "scam" },
    reply: { status: "success", message: "Página suspensa.", data: { report: suspended } },
    failures: ["step_up_required", "page_report_not_found", "page_report_decided", "own_charge_page"],
  }),
  defineExample(dismissPageReportEndpoint, {
    params: exampleParams,
    reply: {
      status: "success",
      message: "Denúncia descartada.",
      data: { report: { ...report, status: "dismissed", ...exampleDecision } },
    },
    failures: ["page_report_not_found", "page_report_decided", "own_charge_page"],
  }),
  defineExample(liftSuspensionEndpoint, {
    params: exampleParams,
    reply: { status: "success", message: "Suspensão retirada.", data: { report: lifted } },
    failures: ["step_up_required", "page_report_not_found", "page_not_suspended", "own_charge_page"],
  }),
]
