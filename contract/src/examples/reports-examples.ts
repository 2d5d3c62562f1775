import { dashboardReportEndpoint, summaryReportEndpoint, topUsersEndpoint } from "../api/reports-endpoints.ts"
import { defineExample } from "./define-example.ts"

const series = { count: 3, paidCount: 2, grossAmount: 200, netAmount: 170 }

export const reportsExamples = [
  defineExample(topUsersEndpoint, {
    query: { limit: "5", period: "custom", startDate: "2020-01-01", endDate: "2099-12-31" },
    reply: {
      status: "success",
      data: {
        topUsers: [
          {
            user: { _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
            totalAmount: 200,
            totalSales: 2,
          },
        ],
      },
    },
    failures: ["validation_failed"],
  }),
  defineExample(summaryReportEndpoint, {
    query: { startDate: "2026-11-21", endDate: "2026-11-21" },
    reply: {
      status: "success",
      data: {
        period: { startDate: "2026-11-21", endDate: "2026-11-21" },
        days: [{ day: "2026-11-21", ...series }],
        months: [{ month: "2026-11", ...series }],
        paymentMethods: [{ paymentMethod: "pix", ...series }],
      },
    },
    failures: [],
  }),
  defineExample(dashboardReportEndpoint, {
    reply: {
      status: "success",
      data: {
        users: 12,
        revenue: 170,
        transactions: 3,
        pendingWithdrawals: { count: 1, amount: 50 },
        chargePages: 4,
        monthlyGrowth: 12.5,
      },
    },
    failures: [],
  }),
]
