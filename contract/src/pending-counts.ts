import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { success } from "./fields.ts"
import * as heads from "./heads.ts"
import { MOST_PENDING_COUNTED } from "./vocabulary/api.ts"

export const pendingCountsView = z.object({
  /** Payments that somebody must accept or return, and entries of the bank's lists that nobody could read. */
  unmatchedPayments: z.number(),
  /** Disputes that nobody has answered: those in the bank's hands aren't counted. */
  disputes: z.number(),
  pageReports: z.number(),
  /** Requests of other administrators: one's own requests wait for others. */
  approvals: z.number(),
  /** Manual entries that other administrators proposed. */
  manualEntries: z.number(),
})
export type PendingCounts = z.infer<typeof pendingCountsView>

export const getPendingCountsEndpoint = defineEndpoint("getPendingCounts", heads.getPendingCounts, {
  audience: "admin",
  whileFrozen: true,
  tag: "Administração: pendências",
  summary: `Quanto espera a decisão de quem chama, por fila; de cada uma são contados no máximo ${MOST_PENDING_COUNTED}`,
  reply: { status: 200, schema: success(pendingCountsView) },
})

export const pendingCountsExamples = [
  defineExample(getPendingCountsEndpoint, {
    data: { unmatchedPayments: 3, disputes: 1, pageReports: 0, approvals: 0, manualEntries: 0 },
    failures: [],
  }),
]
