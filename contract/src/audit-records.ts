import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  exportFormat,
  exportReply,
  id,
  inOrder,
  isoDateTime,
  partOfList,
  periodFilters,
  personReference,
  searchQuery,
  success,
  text,
  userReference,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { auditActions, auditEntities, auditSubjects } from "./vocabulary/audit.ts"

/** Values as read or typed: amounts in reais, personal identifiers masked. */
const recordedValue = z.nullable(z.union([z.string(), z.number(), z.boolean()]))

export const auditRecordView = z.object({
  _id: id,
  happenedAt: isoDateTime,
  action: z.enum(auditActions),
  /** Null for actions of the platform itself. */
  actor: z.nullable(userReference),
  actorAddress: z.nullable(z.string()),
  /** The key with which a program acted for the actor; null for a person. */
  apiKey: z.nullable(personReference),
  /** The user agent; null for actions of the platform itself. */
  actorDevice: z.nullable(z.string()),
  /** The `X-Request-Id` of the answer; null outside requests. */
  requestId: z.nullable(z.string()),
  entity: z.enum(auditEntities),
  entityId: z.string(),
  /** The user whose thing it is, and other facts that lead to the record. */
  about: z.object({
    user: z.nullable(personReference),
    amount: z.nullable(z.number()),
    transactionId: z.nullable(id),
    endToEndId: z.nullable(z.string()),
  }),
  changes: z.array(z.object({ field: z.string(), before: recordedValue, after: recordedValue })),
})
export type AuditRecordView = z.infer<typeof auditRecordView>

const filters = {
  action: z.optional(z.enum(auditActions, "Ação desconhecida.")),
  /** The actor's name or e-mail. */
  search: searchQuery(),
  entity: z.optional(z.enum(auditSubjects, "Assunto desconhecido.")),
  entityId: z.optional(text(200)),
  ...periodFilters(),
}
const { limit, after } = partOfList(100)
const tag = "Administração: auditoria"

export const listAuditRecordsEndpoint = defineEndpoint("listAuditRecords", heads.listAuditRecords, {
  audience: "admin",
  whileFrozen: true,
  urgency: "last",
  tag,
  summary: "Quem fez o quê, do mais novo ao mais antigo; `after` continua depois de um registro",
  query: z.object({ limit, after, ...filters }).check(inOrder),
  reply: {
    status: 200,
    /** `next` is the cursor of the next part; null at the end. */
    schema: success(z.object({ records: z.array(auditRecordView), next: z.nullable(id) })),
  },
})

export const exportAuditRecordsEndpoint = defineEndpoint("exportAuditRecords", heads.exportAuditRecords, {
  audience: "admin",
  urgency: "last",
  tag,
  summary: "Os registros que os filtros escolhem, todos, num arquivo `auditoria_{AAAA-MM-DD}`: CSV ou planilha",
  query: z.object({ ...filters, ...exportFormat }).check(inOrder),
  reply: exportReply,
})

const exampleFilters = { dateFrom: "2026-11-01", dateTo: "2026-11-30" } as const

export const auditRecordsExamples = [
  defineExample(listAuditRecordsEndpoint, {
    query: { limit: "100", entity: "withdrawal", ...exampleFilters },
    data: {
      records: [
        {
          _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
          happenedAt: "2026-11-21T13:30:00.000Z",
          action: "withdrawal.approved",
          actor: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza", email: "ana@loja.example" },
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
    failures: [],
  }),
  defineExample(exportAuditRecordsEndpoint, {
    query: { action: "setting.update", search: "Ana", ...exampleFilters },
    failures: ["too_many_exports"],
  }),
]
