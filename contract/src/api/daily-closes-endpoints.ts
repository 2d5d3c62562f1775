import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { closeKinds, closeStatuses, differenceKinds, differenceProblems } from "../vocabulary/daily-close.ts"
import { isReais } from "../vocabulary/money.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { countAndAmount, id, isoDateTime, malformed, success, text, wholeNumberQuery } from "./fields.ts"

/** `ours` and `bank` count what completed on that day, by the bank's time. */
export const closeTotalView = z.object({ kind: z.enum(closeKinds), ours: countAndAmount, bank: countAndAmount })

const bankBalanceView = z.object({
  /** The moment of both balances; the day's end for a typed one. */
  at: isoDateTime,
  bank: z.number(),
  ours: z.number(),
  /** The part of bank − ours that money under way does not explain. */
  difference: z.number(),
  /** True when an administrator typed it in, because the provider's API doesn't tell it. */
  typed: z.boolean(),
})

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
  /** The number of entries that differ; the balance's difference is `bankBalance.difference`. */
  differenceCount: z.number(),
  /** Entries that we lacked and that the close booked. */
  mendedCount: z.number(),
  totals: z.array(closeTotalView),
  /** Null until the provider tells it, or an administrator. */
  bankBalance: z.nullable(bankBalanceView),
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

export const listDailyClosesEndpoint = defineEndpoint(heads.listDailyCloses, {
  operationId: "listDailyCloses",
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

export const getDailyCloseEndpoint = defineEndpoint(heads.getDailyClose, {
  operationId: "getDailyClose",
  audience: "admin",
  tag,
  summary: "Um dia e as primeiras 200 das suas diferenças; a exportação tem todas",
  params,
  reply: { status: 200, schema: success(dailyCloseDetails) },
})

export const exportDifferencesEndpoint = defineEndpoint(heads.exportDifferences, {
  operationId: "exportDifferences",
  audience: "admin",
  tag,
  summary: "As diferenças de um dia em CSV",
  params,
  reply: { status: 200, file: ["text/csv"] },
})

const noReais = "Informe o saldo em reais, com no máximo duas casas decimais."
/** A whole platform's money, which may be more than any payment. */
const bankReais = z
  .number(noReais)
  .check(z.refine((value) => isReais(value) && Math.abs(value) < 1e12, { error: noReais, params: malformed }))

export const typeBankBalanceEndpoint = defineEndpoint(heads.typeBankBalance, {
  operationId: "typeBankBalance",
  audience: "admin",
  tag,
  summary: "Informa o saldo do banco no fim do dia, pelo extrato dele, e o compara com a nossa conta",
  params,
  body: z.object({ balance: bankReais }),
  reply: { status: 200, schema: success(dailyCloseDetails) },
})

export const redoDailyCloseEndpoint = defineEndpoint(heads.redoDailyClose, {
  operationId: "redoDailyClose",
  audience: "admin",
  tag,
  summary: "Compara o dia de novo com o banco, em instantes; o resultado substitui o anterior",
  params,
  reply: {
    status: 200,
    schema: z.object({ status: z.literal("success"), message: z.string(), data: dailyCloseDetails }),
  },
})
