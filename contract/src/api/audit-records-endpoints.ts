import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { auditActions, auditEntities, auditSubjects } from "../vocabulary/audit.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import {
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

export const listAuditRecordsEndpoint = defineEndpoint(heads.listAuditRecords, {
  operationId: "listAuditRecords",
  audience: "admin",
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

export const exportAuditRecordsEndpoint = defineEndpoint(heads.exportAuditRecords, {
  operationId: "exportAuditRecords",
  audience: "admin",
  urgency: "last",
  tag,
  summary: "Os registros que os filtros escolhem, todos, em CSV (`auditoria_{AAAA-MM-DD}.csv`)",
  query: z.object(filters).check(inOrder),
  reply: { status: 200, file: ["text/csv"] },
})
