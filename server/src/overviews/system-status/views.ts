import type { SystemStatusView } from "@tilinta/contract/system"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { type JobName, jobLabels } from "@tilinta/contract/vocabulary/system"
import { maskedEmail } from "#kit/log"
import { version } from "#kit/machine"
import { isRepeatable } from "#platform/mails/send-mails"
import type { Psp } from "#psp/psp"
import type { SystemFacts } from "./finding.ts"
import { failureOf, findingsOf, jobCondition } from "./findings.ts"

const iso = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null

export function toSystemStatusView(facts: SystemFacts, psp: Psp): SystemStatusView {
  const { now, payouts, refunds, removals, nodes, database, machine } = facts
  return {
    now: now.toISOString(),
    findings: findingsOf(facts),
    provider: toProviderView(facts, psp),
    inbox: toInboxView(facts),
    mails: toMailsView(facts),
    payouts: toWaitingView(payouts),
    refunds: toWaitingView(refunds),
    removals: toWaitingView(removals),
    jobs: facts.jobs.flatMap((job) => toJobView(job, now)),
    ledgerCheck: toLedgerCheckView(facts),
    backup: toBackupView(facts),
    guard: toGuardView(facts),
    installation: {
      version,
      nodes: nodes.map(({ id, startedAt, ...node }) => ({ _id: id, ...node, startedAt: startedAt.toISOString() })),
      databaseBytes: database.sizeBytes,
      migration: database.migration,
      databaseVersion: database.version,
      replicas: database.replicas.map(({ isSynchronous, ...replica }) => ({ ...replica, synchronous: isSynchronous })),
      disk: machine.disk,
      certificateEndsAt: iso(machine.certificateEndsAt),
      databaseEmbedded: machine.isDatabaseEmbedded,
    },
  }
}

function toGuardView({ protection, guard: { approvers, secondApprovalAboveCents: aboveCents } }: SystemFacts) {
  return { protection, approvers, secondApprovalAbove: aboveCents === null ? null : reaisFromCents(aboveCents) }
}

function toProviderView({ connection }: SystemFacts, psp: Psp): SystemStatusView["provider"] {
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

function toInboxView({ inbox }: SystemFacts): SystemStatusView["inbox"] {
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

function toMailsView({ mails }: SystemFacts): SystemStatusView["mails"] {
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
function toJobView(run: SystemFacts["jobs"][number], now: Date) {
  const { name, lastStartedAt, lastSucceededAt, lastFailedAt, ...job } = run
  if (!isJobName(name)) return []
  const moments = { lastSucceededAt: iso(lastSucceededAt), lastFailedAt: iso(lastFailedAt) }
  return [{ name, ...job, ...jobCondition(run, now), ...moments, lastStartedAt: lastStartedAt.toISOString() }]
}

function isJobName(name: string): name is JobName {
  return name in jobLabels
}

function toLedgerCheckView({ ledgerCheck }: SystemFacts): SystemStatusView["ledgerCheck"] {
  const { isRunning, last, result } = ledgerCheck
  return {
    isRunning,
    startedAt: iso(last?.startedAt),
    requestedBy: last?.requestedBy ?? null,
    failure: failureOf(ledgerCheck),
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

function toBackupView({ backup, backups }: SystemFacts): SystemStatusView["backup"] {
  const { isRunning, last, done } = backup
  const { folder, isElsewhere, isEncrypted, isExposed } = backups
  return {
    isOn: folder !== null,
    isElsewhere,
    isEncrypted,
    isExposed,
    isRunning,
    startedAt: iso(last?.startedAt),
    requestedBy: last?.requestedBy ?? null,
    failure: failureOf(backup),
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

function toRestoreCheckView({ restoreCheck }: SystemFacts["backup"]): SystemStatusView["backup"]["restoreCheck"] {
  if (restoreCheck === null) return null
  const { finishedAt, takenAt, rowCount, error, ...others } = restoreCheck
  return { ...others, finishedAt: finishedAt.toISOString(), takenAt: iso(takenAt), rows: rowCount, failure: error }
}
