import { getSellerReportEndpoint } from "../api/seller-report-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const sellerReportExamples = [
  defineExample(getSellerReportEndpoint, {
    query: { days: "7" },
    reply: {
      status: "success",
      data: {
        days: [{ day: "2026-11-21", count: 9, gross: 2171.3, net: 1845.6 }],
        previousDays: [{ day: "2026-11-14", count: 6, gross: 1400, net: 1190 }],
        conversion: { opened: 214, generated: 96, paid: 71 },
      },
    },
    failures: [],
  }),
]
