import type { Logger } from "pino"
import { readConnectionState } from "#bank/psp-inbox/connection"
import { readInboxState } from "#bank/psp-inbox/store"
import { readDatabaseFacts } from "#db/backup/backup-tables"
import { newestMigration } from "#db/migrate"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { StartError } from "#kit/errors"
import type { Machine } from "#kit/machine"
import type { Protection } from "#kit/request-scope"
import { readOldestRefundUnderWay } from "#money/refunds/reads"
import { readPayoutsUnderWay } from "#money/withdrawals/operator-reads"
import { readLedgerCheckState } from "#overviews/ledger-checks/check"
import { countApprovers } from "#people/second-approvals/approve"
import type { BackupPlan } from "#platform/backups/make"
import { readBackupState } from "#platform/backups/request"
import { readMailState } from "#platform/mails/send-mails"
import { readSecondApprovalAboveCents } from "#platform/settings/reads"
import { listNodes } from "#platform/system/node"
import { listJobRunRows } from "#platform/system/reads"
import { readOldestDueRemoval } from "#selling/charges/reads"
import type { SystemFacts, SystemStatus } from "./finding.ts"
import { listLostBanks } from "./reads.ts"

interface Installation {
  db: Db
  clock: Clock
  psp: SystemFacts["bank"]
  protection: Protection
  backups: BackupPlan
  machine: Machine
}

/** All that is known of an installation, whoever asks: the screen Sistema or `npm run doctor`. */
export async function readSystemFacts(installation: Installation): Promise<SystemFacts> {
  const { db, clock, psp: bank, protection, backups, machine } = installation
  const now = clock.now()
  const [status, facts, newest] = await Promise.all([
    readSystemStatus(db, bank.name, now),
    machine.read(),
    newestMigration(),
  ])
  return { ...status, now, bank, protection, backups, machine: facts, newestMigration: newest }
}

/** The state of everything that runs in the background. */
async function readSystemStatus(db: Db, provider: string, now: Date): Promise<SystemStatus> {
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

/**
 * A start that would leave codes at a bank where nobody looks needs the operator's word, which names that bank: those of invoices
 * can be paid for months.
 * @throws StartError
 */
export async function requireWordToLeave(
  db: Db,
  { connected, leaving }: { connected: readonly string[]; leaving: string | null },
): Promise<void> {
  for (const { provider, openCodes } of await listLostBanks(db, connected)) {
    if (openCodes === 0 || provider === leaving) continue
    const codes =
      openCodes === 1 ? "1 código Pix ainda pode ser pago" : `${openCodes} códigos Pix ainda podem ser pagos`
    throw new StartError(
      `${codes} no banco anterior (${provider}), onde ninguém mais perguntaria por eles. ` +
        `Defina as variáveis dele como PIX_FORMER_… ou, para abandoná-los, PIX_LEAVE_BANK=${provider}.`,
    )
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
