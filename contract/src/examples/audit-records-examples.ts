import { exportAuditRecordsEndpoint, listAuditRecordsEndpoint } from "../api/audit-records-endpoints.ts"
import { defineExample } from "./define-example.ts"

const filters = { dateFrom: "2026-11-01", dateTo: "2026-11-30" } as const

export const auditRecordsExamples = [
  defineExample(listAuditRecordsEndpoint, {
    query: { limit: "100", entity: "withdrawal", ...filters },
    reply: {
      status: "success",
      data: {
        records: [
          {
            _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
            happenedAt: "2026-11-21T13:30:00.000Z",
            action: "withdrawal.approved",
            actor: {
              _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
              name: "Ana Souza",
              email: "ana@loja.example",
            },
            actorAddress: "203.0.113.9",
            apiKey: null,
            actorDevice: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            requestId: "q2kZ0mXb1Vd8sQaT",
            entity: "withdrawal",
            entityId: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27",
            about: {
              user: { _id: "0193a4c3-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Loja da Bia" },
              amount: 50,
              transactionId: null,
              endToEndId: null,
            },
            changes: [{ field: "status", before: "pending", after: "approved" }],
          },
        ],
        next: null,
      },
    },
    failures: [],
  }),
  defineExample(exportAuditRecordsEndpoint, {
    query: { action: "setting.update", search: "Ana", ...filters },
    failures: ["too_many_exports"],
  }),
]
