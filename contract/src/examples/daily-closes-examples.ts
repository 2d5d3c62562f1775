import {
  type CloseDifferenceView,
  type DailyCloseView,
  exportDifferencesEndpoint,
  getDailyCloseEndpoint,
  listDailyClosesEndpoint,
  redoDailyCloseEndpoint,
  typeBankBalanceEndpoint,
} from "../api/daily-closes-endpoints.ts"
import { defineExample } from "./define-example.ts"

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
    reply: { status: "success", data: { close, differences: differences } },
    failures: ["daily_close_not_found"],
  }),
  defineExample(exportDifferencesEndpoint, {
    params,
    failures: ["daily_close_not_found", "too_many_exports"],
  }),
  defineExample(typeBankBalanceEndpoint, {
    params,
    body: { balance: 1470.5 },
    reply: {
      status: "success",
      data: {
        close: {
          ...close,
          bankBalance: { at: "2026-11-21T03:00:00.000Z", bank: 1470.5, ours: 1470.5, difference: 0, typed: true },
        },
        differences,
      },
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
