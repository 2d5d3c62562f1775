import type { FastifyRequest } from "fastify"
import type { AccessNotes } from "#domain/platform/audit/access-notes"
import { adminOf } from "./require-admin.ts"

/** The lists that show personal data of many people; the palette's search notes itself. */
const listActions = {
  users: "users.listed",
  withdrawals: "withdrawals.listed",
  transactions: "charges.listed",
  unmatched_payments: "unmatched_payments.listed",
  disputes: "disputes.listed",
} as const

interface Listed {
  list: keyof typeof listActions
  /** The filters and the page, as asked for. */
  query: Record<string, unknown>
  results: number
}

/** Readers of personal data in bulk stand in the audit, with what they looked for. */
export function noteList(accessNotes: AccessNotes, request: FastifyRequest, { list, query, results }: Listed): void {
  accessNotes.note({
    ...{ actor: adminOf(request), action: listActions[list], entity: "list", entityId: list },
    facts: { ...query, results },
  })
}
