import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Logger } from "pino"
import { type ConnectionState, readConnectionState } from "#bank/psp-inbox/connection"
import { readInboxState } from "#bank/psp-inbox/store"
import { type DatabaseFacts, readDatabaseFacts } from "#db/backup/backup-tables"
import type { Db } from "#db/transaction"
import { readOldestRefundUnderWay } from "#money/refunds/reads"
import { readPayoutsUnderWay } from "#money/withdrawals/operator-reads"
import { type LedgerCheckState, readLedgerCheckState } from "#overviews/ledger-checks/check"
import { countApprovers } from "#people/second-approvals/approve"
import { type BackupState, readBackupState } from "#platform/backups/request"
import { readMailState } from "#platform/mails/send-mails"
import { readSecondApprovalAboveCents } from "#platform/settings/read"
import { listNodes } from "#platform/system/node"
import { listJobRunRows, type RecentJobRuns, type ServerNode } from "#platform/system/reads"
import { readOldestDueRemoval } from "#selling/charges/reads"

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
    readOldestRefundUnderWay(db),
  ])
  const [removals, jobs, ledgerCheck, backup, nodes, database, approvers, secondApprovalAboveCents] = await Promise.all(
    [
      readOldestDueRemoval(db),
      listJobRunRows(db),
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

/** An alarm for each former bank that still holds something of ours and can't be asked any more. */
export async function warnOfLostBanks({ db, log }: { db: Db; log: Logger }): Promise<void> {
  for (const waiting of await listLostBanks(db)) {
    log.error(
      { ...waiting, alarm: "former_bank_unreachable" },
      "a former bank still holds codes or money under way: set its variables as PIX_FORMER_…",
    )
  }
}

interface LostBank {
  provider: string
  /** Codes that can still be paid there. */
  openCodes: number
  refunds: number
  payouts: number
}

/** Work that waits for providers without a connection. Reads only what is open or under way, never the history. */
async function listLostBanks(db: Db): Promise<LostBank[]> {
  const { rows } = await sql<LostBank>`
    with waiting as (
      select charge.provider, 1 as code, 0 as refund, 0 as payout
      from open_charges open join charges charge on charge.id = open.charge_id where charge.status = 'pending'
      union all
      select provider, 1, 0, 0 from charges where removal = 'due'
      union all
      select provider, 0, 1, 0 from refunds where status = 'processing'
      union all
      select provider, 0, 0, 1 from withdrawals where status = 'processing'
    )
    select provider, sum(code)::int as "openCodes", sum(refund)::int as refunds, sum(payout)::int as payouts
    from waiting join psp_connections using (provider) where not is_connected
    group by provider order by provider`.execute(db)
  return rows
}
