import * as z from "zod/mini"
import { chargePageFields } from "./charge-pages.ts"
import { examplePage } from "./charge-pages-examples.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { partOfList, searchQuery, success, successWithResults, text, userReference } from "./fields.ts"
import * as heads from "./heads.ts"
import { chargePageStatuses } from "./vocabulary/charge-pages.ts"

export const adminChargePageView = z.object({ ...chargePageFields, user: userReference })
export type AdminChargePageView = z.infer<typeof adminChargePageView>

const tag = "Administração: páginas de cobrança"

export const listAllChargePagesEndpoint = defineEndpoint("listAllChargePages", heads.listAllChargePages, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "As páginas de todos, das mais novas às mais antigas, e quantas há em cada situação",
  query: z.object({
    ...partOfList(100),
    status: z.optional(z.enum(chargePageStatuses, "Status desconhecido.")),
    search: searchQuery(),
  }),
  reply: {
    status: 200,
    schema: successWithResults({
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
  },
})

export const getAnyChargePageEndpoint = defineEndpoint("getAnyChargePage", heads.getAnyChargePage, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Uma página de cobrança de qualquer vendedor",
  params: z.object({ id: text(200) }),
  reply: { status: 200, schema: success(z.object({ checkoutPage: adminChargePageView })) },
})

const page = {
  ...examplePage,
  slug: "mentoria-de-vendas",
  uniqueLink: "8hT2kQ0vWm4ZpL1x",
  user: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
}

export const adminChargePagesExamples = [
  defineExample(listAllChargePagesEndpoint, {
    query: { page: "1", limit: "100", search: "Mentoria" },
    reply: {
      status: "success",
      results: 1,
      data: {
        checkouts: [{ ...page, metadata: {} }],
        summary: { count: 1, active: 1, completed: 0, expired: 0, cancelled: 0 },
      },
    },
    failures: ["validation_failed"],
  }),
  defineExample(getAnyChargePageEndpoint, {
    params: { id: page._id },
    data: { checkoutPage: page },
    failures: ["charge_page_not_found"],
  }),
]
