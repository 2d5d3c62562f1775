import type { SystemStatusView } from "@tilinta/contract/system"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { type JobName, jobLabels } from "@tilinta/contract/vocabulary/system"
import { maskedEmail } from "#kit/log"
import { type MachineFacts, version } from "#kit/machine"
import type { Protection } from "#kit/request-scope"
import type { BackupMaker } from "#platform/backups/make"
import { isRepeatable } from "#platform/mails/send-mails"
import type { Psp } from "#psp/psp"
import type { SystemStatus } from "./status.ts"

const iso = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null

export function toSystemStatusView(
  status: SystemStatus,
  {
    psp,
    protection,
    backupMaker,
    facts,
  }: { psp: Psp; protection: Protection; backupMaker: BackupMaker; facts: MachineFacts },
  now: Date,
): SystemStatusView {
  const { payouts, refunds, removals, nodes, database } = status
  return {
    now: now.toISOString(),
    provider: toProviderView(status, psp),
    inbox: toInboxView(status),
    mails: toMailsView(status),
    payouts: toWaitingView(payouts),
    refunds: toWaitingView(refunds),
    removals: toWaitingView(removals),
    jobs: status.jobs.flatMap((job) => toJobView(job)),
    ledgerCheck: toLedgerCheckView(status),
    backup: toBackupView(status, backupMaker),
    guard: { protection, ...toGuardView(status) },
    installation: {
      version,
      nodes: nodes.map(({ id, startedAt, ...node }) => ({ _id: id, ...node, startedAt: startedAt.toISOString() })),
      databaseBytes: database.sizeBytes,
      migration: database.migration,
      databaseVersion: database.version,
      replicas: database.replicas.map(({ isSynchronous, ...replica }) => ({ ...replica, synchronous: isSynchronous })),
      disk: facts.disk,
      certificateEndsAt: iso(facts.certificateEndsAt),
      databaseEmbedded: facts.isDatabaseEmbedded,
    },
  }
}

function toGuardView({ guard: { approvers, secondApprovalAboveCents: aboveCents } }: SystemStatus) {
  return { approvers, secondApprovalAbove: aboveCents === null ? null : reaisFromCents(aboveCents) }
}

function toProviderView({ connection }: SystemStatus, psp: Psp): SystemStatusView["provider"] {
  const failure = connection?.lastFailure ?? null
  return {
    name: psp.name,
    label: psp.label,
    receiptsSeenUntil: iso(connection?.receiptsSeenUntil),
    lastContactAt: iso(connection?.lastContactAt),
    lastFailure: failure === null ? null : { ...failure, at: failure.at.toISOString() },
    lastWebhookAt: iso(connection?.lastWebhookAt),
    webhookRegisteredAt: iso(connection?.webhookRegisteredAt),
    certificateEndsAt: iso(psp.certificateEndsAt),
  }
}

function toInboxView({ inbox }: SystemStatus): SystemStatusView["inbox"] {
  return {
    waiting: inbox.waiting,
    oldestAt: iso(inbox.oldestAt),
    failing: inbox.failing.map(({ id, receivedAt, nextAttemptAt, ...message }) => ({
      _id: String(id),
      ...message,
      receivedAt: receivedAt.toISOString(),
      nextAttemptAt: nextAttemptAt.toISOString(),
    })),
  }
}

function toMailsView({ mails }: SystemStatus): SystemStatusView["mails"] {
  return {
    waiting: mails.waiting,
    oldestAt: iso(mails.oldestAt),
    givenUp: mails.givenUp,
    problems: mails.problems.map((mail) => ({
      _id: mail.id,
      kind: mail.kind,
      to: maskedEmail(mail.to),
      createdAt: mail.createdAt.toISOString(),
      attempts: mail.attempts,
      lastError: mail.lastError,
      givenUpAt: iso(mail.givenUpAt),
      repeatable: isRepeatable(mail),
    })),
  }
}

function toWaitingView({ count, oldestAt }: { count: number; oldestAt: Date | null }) {
  return { count, oldestAt: iso(oldestAt) }
}

/** Jobs of a newer version on another node are unknown here. */
function toJobView({ name, lastStartedAt, lastSucceededAt, lastFailedAt, ...job }: SystemStatus["jobs"][number]) {
  if (!isJobName(name)) return []
  const moments = { lastSucceededAt: iso(lastSucceededAt), lastFailedAt: iso(lastFailedAt) }
  return [{ name, ...job, ...moments, lastStartedAt: lastStartedAt.toISOString() }]
}

function isJobName(name: string): name is JobName {
  return name in jobLabels
}

const interrupted = "O servidor parou antes do fim."

function toLedgerCheckView({ ledgerCheck }: SystemStatus): SystemStatusView["ledgerCheck"] {
  const { isRunning, last, result } = ledgerCheck
  const isCut = !isRunning && last !== null && last.finishedAt === null
  return {
    isRunning,
    startedAt: iso(last?.startedAt),
    requestedBy: last?.requestedBy ?? null,
    failure: isCut ? interrupted : (last?.error ?? null),
    result:
      result === null || result.finishedAt === null
        ? null
        : {
            startedAt: result.startedAt.toISOString(),
            finishedAt: result.finishedAt.toISOString(),
            postings: result.postingCount ?? 0,
            differenceCount: result.differenceCount ?? 0,
            differences: result.differences ?? [],
          },
  }
}

function toBackupView(
  { backup }: SystemStatus,
  { isOn, isEncrypted, isExposed }: BackupMaker,
): SystemStatusView["backup"] {
  const { isRunning, last, done } = backup
  const isCut = !isRunning && last !== null && last.finishedAt === null
  return {
    isOn,
    isEncrypted,
    isExposed,
    isRunning,
    startedAt: iso(last?.startedAt),
    requestedBy: last?.requestedBy ?? null,
    failure: isCut ? interrupted : (last?.error ?? null),
    result:
      done === null || done.finishedAt === null
        ? null
        : {
            file: done.file,
            startedAt: done.startedAt.toISOString(),
            finishedAt: done.finishedAt.toISOString(),
            bytes: done.sizeBytes ?? 0,
          },
    restoreCheck: toRestoreCheckView(backup),
  }
}

function toRestoreCheckView({ restoreCheck }: SystemStatus["backup"]): SystemStatusView["backup"]["restoreCheck"] {
  if (restoreCheck === null) return null
  const { finishedAt, takenAt, rowCount, error, ...others } = restoreCheck
  return { ...others, finishedAt: finishedAt.toISOString(), takenAt: iso(takenAt), rows: rowCount, failure: error }
}
