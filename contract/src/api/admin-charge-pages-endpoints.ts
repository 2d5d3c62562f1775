import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { chargePageStatuses } from "../vocabulary/charge-page-status.ts"
import { chargePageFields } from "./charge-pages-endpoints.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { partOfList, searchQuery, success, text, userReference } from "./fields.ts"

export const adminChargePageView = z.object({
  ...chargePageFields,
  user: userReference,
})
export type AdminChargePageView = z.infer<typeof adminChargePageView>

const tag = "Administração: páginas de cobrança"

export const listAllChargePagesEndpoint = defineEndpoint(heads.listAllChargePages, {
  operationId: "listAllChargePages",
  audience: "admin",
  tag,
  summary: "As páginas de todos, das mais novas às mais antigas, e quantas há em cada situação",
  query: z.object({
    ...partOfList(100),
    status: z.optional(z.enum(chargePageStatuses, "Status desconhecido.")),
    search: searchQuery(),
  }),
  reply: {
    status: 200,
    schema: z.object({
      status: z.literal("success"),
      results: z.number(),
      data: z.object({
        checkouts: z.array(adminChargePageView),
        /** Totals over every page that the filters select, not only the rows returned. */
        summary: z.object({
          count: z.number(),
          active: z.number(),
          completed: z.number(),
          expired: z.number(),
          cancelled: z.number(),
        }),
      }),
    }),
  },
})

export const getAnyChargePageEndpoint = defineEndpoint(heads.getAnyChargePage, {
  operationId: "getAnyChargePage",
  audience: "admin",
  tag,
  summary: "Uma página de cobrança de qualquer vendedor",
  params: z.object({ id: text(200) }),
  reply: { status: 200, schema: success(z.object({ checkoutPage: adminChargePageView })) },
})
