import { type Cents } from "@tilinta/contract/vocabulary/money"
import { type DatabaseFacts, readDatabaseFacts } from "#db/read-installation"
import type { Db } from "#db/transaction"
import { type ConnectionState, readConnectionState } from "#domain/bank/psp-inbox/connection-state"
import { readInboxState } from "#domain/bank/psp-inbox/retry-inbox-message"
import { readRefundsUnderWay } from "#domain/money/refunds/refunds-under-way"
import { type LedgerCheckState, readLedgerCheckState } from "#domain/overviews/ledger-checks/request-ledger-check"
import { countApprovers } from "#domain/people/second-approvals/list-second-approvals"
import { type BackupState, readBackupState } from "#domain/platform/backups/request-backup"
import { listJobRuns, type RecentJobRuns } from "#domain/platform/job-runs/save-job-runs"
import { readMailState } from "#domain/platform/mails/send-mails"
import { listNodes, type ServerNode } from "#domain/platform/nodes/node-heartbeats"
import { readSecondApprovalAboveCents } from "#domain/platform/settings/read-setting"
import { readDueRemovals } from "#domain/selling/charges/due-removals"
import { readPayoutsUnderWay } from "#money/withdrawals/operator-reads"

interface Waiting {
  count: number
  oldestAt: Date | null
}

export interface SystemStatus {
  connection: ConnectionState | null
  inbox: Awaited<ReturnType<typeof readInboxState>>
  mails: Awaited<ReturnType<typeof readMailState>>
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

/** The state of everything that runs in the background. */
export async function readSystemStatus(db: Db, provider: string, now: Date): Promise<SystemStatus> {
  const [connection, inbox, mails, payouts, refunds] = await Promise.all([
    readConnectionState(db, provider),
    readInboxState(db, provider),
    readMailState(db, now),
    readPayoutsUnderWay(db),
    readRefundsUnderWay(db),
  ])
  const [removals, jobs, ledgerCheck, backup, nodes, database, approvers, secondApprovalAboveCents] = await Promise.all(
    [
      readDueRemovals(db),
      listJobRuns(db),
      readLedgerCheckState(db),
      readBackupState(db),
      listNodes(db, now),
      readDatabaseFacts(db),
      countApprovers(db, now),
      readSecondApprovalAboveCents(db),
    ],
  )
  const guard = { approvers, secondApprovalAboveCents }
  return { connection, inbox, mails, payouts, refunds, removals, jobs, ledgerCheck, backup, nodes, database, guard }
}

/** Figures for monitoring; null while unknown. */
export interface SystemFigures {
  reconciliationLagSeconds: number | null
  lastContactAgeSeconds: number | null
  inboxWaiting: number
  mailsGivenUp: number
  ledgerDifferences: number | null
  /** Null without a backup, also where the server makes none. */
  backupAgeSeconds: number | null
}

export async function readSystemFigures(db: Db, provider: string, now: Date): Promise<SystemFigures> {
  const [connection, inbox, mails, { result }, { done }] = await Promise.all([
    readConnectionState(db, provider),
    readInboxState(db, provider),
    readMailState(db, now),
    readLedgerCheckState(db),
    readBackupState(db),
  ])
  const age = (moment: Date | null | undefined) => (moment ? (now.getTime() - moment.getTime()) / 1000 : null)
  return {
    reconciliationLagSeconds: age(connection?.receiptsSeenUntil),
    lastContactAgeSeconds: age(connection?.lastContactAt),
    inboxWaiting: inbox.waiting,
    mailsGivenUp: mails.givenUp,
    ledgerDifferences: result?.differenceCount ?? null,
    backupAgeSeconds: age(done?.startedAt),
  }
}
