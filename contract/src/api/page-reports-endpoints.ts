import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { chargePageStatuses } from "../vocabulary/charge-page-status.ts"
import { pageReportFilters, pageReportReasons, pageReportStatuses } from "../vocabulary/page-reports.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, partOfList, personReference, success, text, userReference } from "./fields.ts"

const reason = z.enum(pageReportReasons, "Escolha o motivo da denúncia.")

/** Answers alike whether or not the report counted, so that nobody learns what others reported. */
export const reportPageEndpoint = defineEndpoint(heads.reportPage, {
  operationId: "reportPage",
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

export const listPageReportsEndpoint = defineEndpoint(heads.listPageReports, {
  operationId: "listPageReports",
  audience: "admin",
  tag,
  summary: "As páginas denunciadas, das denúncias mais novas às mais antigas; `after` continua depois de uma",
  query: z.object({
    limit,
    after,
    status: z._default(z.enum(pageReportFilters, "Status desconhecido."), "open"),
  }),
  reply: {
    status: 200,
    /** `next` is the cursor of the next part, null at the end; `open` counts to 100 at most. */
    schema: success(
      z.object({
        reports: z.array(pageReportView),
        next: z.nullable(id),
        summary: z.object({ open: z.int() }),
      }),
    ),
  },
})

const params = z.object({ id: text(200) })
const decided = {
  status: 200,
  schema: z.object({
    status: z.literal("success"),
    message: z.string(),
    data: z.object({ report: pageReportView }),
  }),
} as const

export const suspendReportedPageEndpoint = defineEndpoint(heads.suspendReportedPage, {
  operationId: "suspendReportedPage",
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

export const dismissPageReportEndpoint = defineEndpoint(heads.dismissPageReport, {
  operationId: "dismissPageReport",
  audience: "admin",
  tag,
  summary: "Descarta as denúncias: a página continua aberta, e o vendedor não fica sabendo",
  params,
  reply: decided,
})

export const liftSuspensionEndpoint = defineEndpoint(heads.liftSuspension, {
  operationId: "liftSuspension",
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Retira a suspensão: a página volta a receber; os códigos encerrados continuam encerrados",
  params,
  reply: decided,
})
