import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  countAndAmount,
  exportFormat,
  exportReply,
  id,
  isoDateTime,
  malformed,
  success,
  successWithMessage,
  successWithResults,
  text,
  wholeNumberQuery,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { closeKinds, closeStatuses, differenceKinds, differenceProblems } from "./vocabulary/books.ts"
import { isReais } from "./vocabulary/money.ts"

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
const closeParams = z.object({ id: text(200) })

export const listDailyClosesEndpoint = defineEndpoint("listDailyCloses", heads.listDailyCloses, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Os dias, do mais novo ao mais antigo, comparados com o banco",
  query: z.object({ page: wholeNumberQuery(1, 1_000_000), limit: wholeNumberQuery(31, 366) }),
  reply: { status: 200, schema: successWithResults({ closes: z.array(dailyCloseView) }) },
})

export const dailyCloseDetails = z.object({ close: dailyCloseView, differences: z.array(closeDifferenceView) })

export const getDailyCloseEndpoint = defineEndpoint("getDailyClose", heads.getDailyClose, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Um dia e as primeiras 200 das suas diferenças; a exportação tem todas",
  params: closeParams,
  reply: { status: 200, schema: success(dailyCloseDetails) },
})

export const exportDifferencesEndpoint = defineEndpoint("exportDifferences", heads.exportDifferences, {
  audience: "admin",
  tag,
  summary: "As diferenças de um dia num arquivo: CSV ou planilha",
  params: closeParams,
  query: z.object(exportFormat),
  reply: exportReply,
})

const noReais = "Informe o saldo em reais, com no máximo duas casas decimais."
/** A whole platform's money, which may be more than any payment. */
const bankReais = z
  .number(noReais)
  .check(z.refine((value) => isReais(value) && Math.abs(value) < 1e12, { error: noReais, params: malformed }))

export const typeBankBalanceEndpoint = defineEndpoint("typeBankBalance", heads.typeBankBalance, {
  audience: "admin",
  tag,
  summary: "Informa o saldo do banco no fim do dia, pelo extrato dele, e o compara com a nossa conta",
  params: closeParams,
  body: z.object({ balance: bankReais }),
  reply: { status: 200, schema: success(dailyCloseDetails) },
})

export const redoDailyCloseEndpoint = defineEndpoint("redoDailyClose", heads.redoDailyClose, {
  audience: "admin",
  tag,
  summary: "Compara o dia de novo com o banco, em instantes; o resultado substitui o anterior",
  params: closeParams,
  reply: { status: 200, schema: successWithMessage(dailyCloseDetails) },
})

const params = { id: "0193a4c5-7c1a-7d3e-9b52-4f0d6c8e1a27" }
const refunds = { count: 1, amount: 70 }

const close: DailyCloseView = {
  _id: params.id,
  provider: "simulator",
  providerLabel: "Simulador (testes)",
  day: "2026-11-20",
  status: "differences",
  closedAt: "2026-11-21T06:00:04.000Z",
  nextAttemptAt: "2026-11-21T12:00:04.000Z",
  lastError: null,
  differenceCount: 1,
  mendedCount: 1,
  bankBalance: { at: "2026-11-21T06:00:04.000Z", bank: 1420.5, ours: 1470.5, difference: -50, typed: false },
  totals: [
    { kind: "receipt", ours: { count: 12, amount: 1840.5 }, bank: { count: 12, amount: 1840.5 } },
    { kind: "refund", ours: refunds, bank: refunds },
    { kind: "payout", ours: { count: 2, amount: 300 }, bank: { count: 3, amount: 350 } },
  ],
}

const differences: CloseDifferenceView[] = [
  {
    kind: "payout",
    reference: "E0000000020261120150000000000031",
    problem: "missing_with_us",
    ourAmount: null,
    bankAmount: 50,
    ourState: null,
    bankState: "completed",
    happenedAt: "2026-11-20T15:00:02.000Z",
    mended: false,
  },
  {
    kind: "receipt",
    reference: "E0000000020261120120000000000019",
    problem: "missing_with_us",
    ourAmount: null,
    bankAmount: 33.33,
    ourState: null,
    bankState: "completed",
    happenedAt: "2026-11-20T12:00:00.000Z",
    mended: true,
  },
]

export const dailyClosesExamples = [
  defineExample(listDailyClosesEndpoint, {
    query: { page: "1", limit: "31" },
    reply: { status: "success", results: 1, data: { closes: [close] } },
    failures: [],
  }),
  defineExample(getDailyCloseEndpoint, {
    params,
    data: { close, differences: differences },
    failures: ["daily_close_not_found"],
  }),
  defineExample(exportDifferencesEndpoint, {
    params,
    query: { format: "xlsx" },
    failures: ["daily_close_not_found", "too_many_exports"],
  }),
  defineExample(typeBankBalanceEndpoint, {
    params,
    body: { balance: 1470.5 },
    data: {
      close: {
        ...close,
        bankBalance: { at: "2026-11-21T03:00:00.000Z", bank: 1470.5, ours: 1470.5, difference: 0, typed: true },
      },
      differences,
    },
    failures: ["daily_close_not_found", "daily_close_too_early"],
  }),
  defineExample(redoDailyCloseEndpoint, {
    params,
    reply: {
      status: "success",
      message: "O dia será comparado de novo em instantes.",
      data: { close: { ...close, status: "checking" }, differences: differences },
    },
    failures: ["daily_close_not_found", "daily_close_too_early"],
  }),
]
