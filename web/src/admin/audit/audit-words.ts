import type { AuditRecordView } from "@tilinta/contract/audit-records"
import {
  type AuditEntity,
  auditActionLabels,
  auditEntityLabels,
  auditFieldLabels,
  auditSubjectLabels,
} from "@tilinta/contract/vocabulary/audit"
import { chargePageStatusLabels, pageReportReasonLabels } from "@tilinta/contract/vocabulary/charge-pages"
import {
  defenceStateLabels,
  disputeReasonLabels,
  disputeStateLabels,
} from "@tilinta/contract/vocabulary/dispute-status"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { ownFeeText } from "@tilinta/contract/vocabulary/fee"
import { mailKindLabels } from "@tilinta/contract/vocabulary/mails"
import { roleLabels } from "@tilinta/contract/vocabulary/people"
import { type JobName, jobLabels, settingCategoryLabels, settingTypeLabels } from "@tilinta/contract/vocabulary/system"
import {
  adminStatusLabels,
  adminStatusOf,
  refundOriginLabels,
  refundStatusLabels,
  transactionStatuses,
} from "@tilinta/contract/vocabulary/transactions"
import {
  accountTypeLabels,
  destinationOwnerLabels,
  withdrawalStatusLabels,
} from "@tilinta/contract/vocabulary/withdrawals"
import { dayLabel } from "#admin/daily-closes/daily-closes-data.ts"
import { reasonWords, statusWords } from "#admin/unmatched-payments/unmatched-data.ts"
import { formatDay } from "#format/dates.ts"
import { methodLabels } from "#format/withdrawal-texts.ts"

type Change = AuditRecordView["changes"][number]
type Words = Readonly<Record<string, string>>

function labelsOf(words: Readonly<Record<string, { label: string }>>): Words {
  return Object.fromEntries(Object.entries(words).map(([word, { label }]) => [word, label]))
}

const transactionLabels: Words = Object.fromEntries(
  transactionStatuses.map((status) => [status, adminStatusLabels[adminStatusOf[status]]]),
)

/** The same status word differs in meaning between entities. */
const statusesOf: Readonly<Record<string, Words>> = {
  withdrawal: withdrawalStatusLabels,
  refund: refundStatusLabels,
  unmatched_payment: labelsOf(statusWords),
  dispute: disputeStateLabels,
  charge_page: chargePageStatusLabels,
  export: { ...withdrawalStatusLabels, ...transactionLabels },
}

const wordsOf: Readonly<Record<string, Words>> = {
  role: roleLabels,
  method: methodLabels,
  origin: refundOriginLabels,
  type: settingTypeLabels,
  category: settingCategoryLabels,
  reason: { ...labelsOf(reasonWords), ...pageReportReasonLabels, ...disputeReasonLabels },
  defenceState: defenceStateLabels,
  action: auditActionLabels,
  entity: auditSubjectLabels,
  kind: mailKindLabels,
  code: errorMessages,
  owner: destinationOwnerLabels,
  outcome: { release: "A favor do vendedor", debit: "A favor do pagador", paid: "Pago", not_paid: "Não pago" },
  "bankAccount.accountType": accountTypeLabels,
}

export function fieldLabel(field: string): string {
  return (auditFieldLabels as Words)[field] ?? field
}

/** A stored value as people read it: a label for every stored word, and 'vazio' for null. */
export function valueText(entity: string, field: string, value: Change["after"], reais: (amount: number) => string) {
  if (field === "feePercentage") return ownFeeText(value as number | null)
  if (value === null) return "vazio"
  if (typeof value === "boolean") return value ? "Sim" : "Não"
  if (typeof value === "number") return isAmount(field) ? reais(value) : String(value).replace(".", ",")
  if (field === "status" || field === "statuses") return statusText(entity, value)
  if (field === "dayFrom" || field === "dayTo") return formatDay(value)
  return wordsOf[field]?.[value] ?? value
}

function isAmount(field: string): boolean {
  return ["amount", "fee", "blocked", "debited"].includes(field)
}

function statusText(entity: string, value: string): string {
  const words = statusesOf[entity] ?? {}
  return value
    .split(", ")
    .map((word) => words[word] ?? word)
    .join(", ")
}

export function isPartOfSystem(entity: AuditEntity): boolean {
  return entity === "job" || entity === "inbox_message" || entity === "mail" || entity === "ledger_check"
}

export function actorName({ actor }: AuditRecordView): string {
  return actor?.name ?? "Plataforma"
}

/** The subject of the action in one line: an amount and its owner, a key, or a payment's id. */
export function aboutText(
  { entity, entityId, about, changes }: AuditRecordView,
  reais: (amount: number) => string,
): string {
  if (entity === "setting") return entityId
  if (entity === "demo") return "Dados inventados"
  if (entity === "job") return jobLabels[entityId as JobName] ?? entityId
  if (isPartOfSystem(entity)) return "Sistema"
  if (entity === "session") return about.user?.name ?? "Várias contas"
  if (entity === "endpoint") return entityId
  if (entity === "list") return "Dados pessoais"
  if (entity === "daily_close") return closedDay(changes)
  const parts = [
    about.amount === null ? null : reais(about.amount),
    about.user?.name ?? null,
    about.amount === null && about.user === null ? about.endToEndId : null,
  ].filter((part) => part !== null)
  if (parts.length > 0) return parts.join(" · ")
  return entity === "export" ? "Arquivo" : auditEntityLabels[entity]
}

function closedDay(changes: AuditRecordView["changes"]): string {
  const change = changes.find(({ field }) => field === "day")
  const day = change?.after ?? change?.before
  return typeof day === "string" ? `Dia ${dayLabel(day)}` : "Fechamento diário"
}
