import * as z from "zod/mini"
import { closeKinds, closeStatuses, differenceKinds, differenceProblems } from "../vocabulary/daily-close.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { countAndAmount, id, isoDateTime, success, text, wholeNumberQuery } from "./fields.ts"

/** `ours` and `bank` count what completed on that day, by the bank's time. */
export const closeTotalView = z.object({ kind: z.enum(closeKinds), ours: countAndAmount, bank: countAndAmount })

export const dailyCloseView = z.object({
  _id: id,
  provider: z.string(),
  /** The connected provider's name as people know it; a former one keeps the name of its rows. */
  providerLabel: z.string(),
  /** São Paulo calendar day, `YYYY-MM-DD`. */
  day: z.string(),
  status: z.enum(closeStatuses),
  /** Null until the first comparison. */
  closedAt: z.nullable(isoDateTime),
  nextAttemptAt: z.nullable(isoDateTime),
  lastError: z.nullable(z.string()),
  differenceCount: z.number(),
  /** Entries that we lacked and that the close booked. */
  mendedCount: z.number(),
  totals: z.array(closeTotalView),
})
export type DailyCloseView = z.infer<typeof dailyCloseView>

export const closeDifferenceView = z.object({
  kind: z.enum(differenceKinds),
  reference: z.string(),
  problem: z.enum(differenceProblems),
  ourAmount: z.nullable(z.number()),
  bankAmount: z.nullable(z.number()),
  ourState: z.nullable(z.string()),
  bankState: z.nullable(z.string()),
  happenedAt: z.nullable(isoDateTime),
  mended: z.boolean(),
})
export type CloseDifferenceView = z.infer<typeof closeDifferenceView>

const tag = "Administração: fechamento diário"
const params = z.object({ id: text(200) })

export const listDailyClosesEndpoint = defineEndpoint({
  operationId: "listDailyCloses",
  method: "GET",
  path: "/api/v1/admin/daily-closes",
  audience: "admin",
  tag,
  summary: "Os dias, do mais novo ao mais antigo, comparados com o banco",
  query: z.object({ page: wholeNumberQuery(1, 1_000_000), limit: wholeNumberQuery(31, 366) }),
  reply: {
    status: 200,
    schema: z.object({
      status: z.literal("success"),
      results: z.number(),
      data: z.object({ closes: z.array(dailyCloseView) }),
    }),
  },
})

export const dailyCloseDetails = z.object({ close: dailyCloseView, differences: z.array(closeDifferenceView) })

export const getDailyCloseEndpoint = defineEndpoint({
  operationId: "getDailyClose",
  method: "GET",
  path: "/api/v1/admin/daily-closes/:id",
  audience: "admin",
  tag,
  summary: "Um dia e as primeiras 200 das suas diferenças; a exportação tem todas",
  params,
  reply: { status: 200, schema: success(dailyCloseDetails) },
})

export const exportDifferencesEndpoint = defineEndpoint({
  operationId: "exportDifferences",
  method: "GET",
  path: "/api/v1/admin/daily-closes/:id/export",
  audience: "admin",
  tag,
  summary: "As diferenças de um dia em CSV",
  params,
  reply: { status: 200, file: ["text/csv"] },
})

export const redoDailyCloseEndpoint = defineEndpoint({
  operationId: "redoDailyClose",
  method: "PATCH",
  path: "/api/v1/admin/daily-closes/:id/redo",
  audience: "admin",
  tag,
  summary: "Compara o dia de novo com o banco, em instantes; o resultado substitui o anterior",
  params,
  reply: {
    status: 200,
    schema: z.object({ status: z.literal("success"), message: z.string(), data: dailyCloseDetails }),
  },
})
