import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { FindingTone, SystemPart } from "@tilinta/contract/vocabulary/system"
import type { ConnectionState } from "#bank/psp-inbox/connection"
import type { InboxState } from "#bank/psp-inbox/reads"
import type { DatabaseFacts } from "#db/backup/backup-tables"
import type { MachineFacts } from "#kit/machine"
import type { Protection } from "#kit/request-scope"
import type { LedgerCheckState } from "#overviews/ledger-checks/check"
import type { BackupPlan } from "#platform/backups/make"
import type { BackupState } from "#platform/backups/request"
import type { MailState } from "#platform/mails/reads"
import type { RecentJobRuns, ServerNode } from "#platform/system/reads"
import type { Psp } from "#psp/psp"

interface Waiting {
  count: number
  oldestAt: Date | null
}

/** Facts that the database tells. */
export interface SystemStatus {
  connection: ConnectionState | null
  inbox: InboxState
  mails: MailState
  payouts: Waiting
  refunds: Waiting
  removals: Waiting
  jobs: RecentJobRuns[]
  ledgerCheck: LedgerCheckState
  backup: BackupState
  nodes: ServerNode[]
  database: DatabaseFacts
  guard: { approvers: number; secondApprovalAboveCents: Cents | null }
}

/** All that is known of an installation. */
export interface SystemFacts extends SystemStatus {
  now: Date
  bank: Pick<Psp, "name" | "certificateEndsAt">
  protection: Protection
  backups: BackupPlan
  machine: MachineFacts
  /** The newest migration that this version knows. */
  newestMigration: number
}

/** How one thing of a part stands. */
export interface Condition {
  tone: FindingTone
  /** In one line. */
  says: string
  /** Advice; null while all is well. */
  advice: string | null
}

export interface Finding extends Condition {
  part: SystemPart
}

export const well = (says: string): Condition => ({ tone: "success", says, advice: null })
export const warning = (says: string, advice: string): Condition => ({ tone: "warning", says, advice })
export const danger = (says: string, advice: string): Condition => ({ tone: "danger", says, advice })

export const minute = 60_000
const hour = 60 * minute
export const day = 24 * hour

/** 0 for what never was. */
export function ageMs(moment: Date | null | undefined, now: Date): number {
  return moment ? now.getTime() - moment.getTime() : 0
}

/** "há 3 h" */
export function ago(moment: Date, now: Date): string {
  const age = ageMs(moment, now)
  if (age < minute) return "agora"
  if (age < hour) return `há ${Math.floor(age / minute)} min`
  return age < 2 * day ? `há ${Math.floor(age / hour)} h` : `há ${Math.floor(age / day)} dias`
}

export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** How long a certificate lasts. Renewals take time, so the end is told of long before. */
export function certificateCondition(
  name: string,
  endsAt: Date,
  { now, warnDays, dangerDays, advice }: { now: Date; warnDays: number; dangerDays: number; advice: string },
): Condition {
  const leftDays = Math.floor((endsAt.getTime() - now.getTime()) / day)
  if (leftDays >= warnDays) return well(`${name} está em dia`)
  if (leftDays < 0) return danger(`${name} venceu`, advice)
  const left = leftDays === 0 ? "em menos de um dia" : `em ${countOf(leftDays, "dia", "dias")}`
  return (leftDays < dangerDays ? danger : warning)(`${name} vence ${left}`, advice)
}
