import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, messageReply, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { mailKinds } from "./vocabulary/mails.ts"
import { findingTones, type JobName, jobLabels, systemParts } from "./vocabulary/system.ts"

const moment = z.nullable(isoDateTime)
export const waitingState = z.object({ count: z.number(), oldestAt: moment })
const jobNames = Object.keys(jobLabels) as JobName[]

const providerState = z.object({
  name: z.string(),
  /** The provider's name on screens. */
  label: z.string(),
  /** Reconciliation has seen every receipt up to this moment. */
  receiptsSeenUntil: moment,
  lastContactAt: moment,
  lastFailure: z.nullable(z.object({ at: isoDateTime, call: z.string(), message: z.string() })),
  lastWebhookAt: moment,
  webhookRegisteredAt: moment,
  /** Null where no client certificate is used. */
  certificateEndsAt: moment,
})

const inboxState = z.object({
  waiting: z.number(),
  oldestAt: moment,
  failing: z.array(
    z.object({
      _id: id,
      receivedAt: isoDateTime,
      attempts: z.number(),
      lastError: z.nullable(z.string()),
      nextAttemptAt: isoDateTime,
    }),
  ),
})

const mailState = z.object({
  waiting: z.number(),
  oldestAt: moment,
  givenUp: z.number(),
  problems: z.array(
    z.object({
      _id: id,
      kind: z.nullable(z.enum(mailKinds)),
      /** Masked. */
      to: z.string(),
      createdAt: isoDateTime,
      attempts: z.number(),
      lastError: z.nullable(z.string()),
      givenUpAt: moment,
      repeatable: z.boolean(),
    }),
  ),
})

const tone = z.enum(findingTones)

const jobState = z.object({
  name: z.enum(jobNames),
  tone,
  /** Its state in words. */
  says: z.string(),
  everySeconds: z.number(),
  lastStartedAt: isoDateTime,
  lastDurationMs: z.number(),
  lastSucceededAt: moment,
  lastFailedAt: moment,
  lastError: z.nullable(z.string()),
  failuresInRow: z.number(),
})

const lastRun = {
  isRunning: z.boolean(),
  /** Start of the last run, whatever its result. */
  startedAt: moment,
  requestedBy: z.nullable(z.string()),
  /** The error of the last run, if it failed. */
  failure: z.nullable(z.string()),
}

const ledgerCheckState = z.object({
  ...lastRun,
  /** The result of the last run that completed. */
  result: z.nullable(
    z.object({
      startedAt: isoDateTime,
      finishedAt: isoDateTime,
      postings: z.number(),
      differenceCount: z.number(),
      differences: z.array(z.object({ what: z.string(), expected: z.string(), found: z.string() })),
    }),
  ),
})

const backupState = z.object({
  /** False without BACKUP_DIR. */
  isOn: z.boolean(),
  /** BACKUP_ELSEWHERE: another program makes them. */
  isElsewhere: z.boolean(),
  isEncrypted: z.boolean(),
  /** Real money without BACKUP_KEY: names, CPFs and password hashes lie in clear text in every backup. */
  isExposed: z.boolean(),
  ...lastRun,
  /** The last one that was finished. */
  result: z.nullable(
    z.object({ file: z.string(), startedAt: isoDateTime, finishedAt: isoDateTime, bytes: z.number() }),
  ),
  /** The last try of a restore (npm run restore -- FILE --verify). */
  restoreCheck: z.nullable(
    z.object({
      finishedAt: isoDateTime,
      /** Account and name of the machine that tried it. */
      checkedBy: z.string(),
      file: z.string(),
      /** The moment of the backup. */
      takenAt: moment,
      rows: z.nullable(z.number()),
      /** 0 when all agrees; null where it could not be restored. */
      differenceCount: z.nullable(z.number()),
      seconds: z.number(),
      /** The reason why it could not be restored. */
      failure: z.nullable(z.string()),
    }),
  ),
})

export const systemStatusView = z.object({
  /** The server's clock, against which the screen computes ages. */
  now: isoDateTime,
  /** How each part is; `npm run doctor` prints the same. A part has one or more, the one that sums it up first. */
  findings: z.array(
    z.object({
      part: z.enum(systemParts),
      tone,
      says: z.string(),
      /** Advice; null while all is well. */
      advice: z.nullable(z.string()),
    }),
  ),
  provider: providerState,
  inbox: inboxState,
  mails: mailState,
  payouts: waitingState,
  refunds: waitingState,
  removals: waitingState,
  jobs: z.array(jobState),
  ledgerCheck: ledgerCheckState,
  backup: backupState,
  guard: z.object({
    protection: z.enum(["strict", "relaxed"]),
    /** Administrators who may approve today. */
    approvers: z.number(),
    /** Withdrawals above it need two of them; null when one is enough for any. */
    secondApprovalAbove: z.nullable(z.number()),
  }),
  installation: z.object({
    /** The version of the node that answers. */
    version: z.string(),
    nodes: z.array(
      z.object({
        _id: id,
        host: z.string(),
        version: z.string(),
        startedAt: isoDateTime,
        /** How far its clock is ahead of the provider's; negative where it is behind, null while unknown. */
        clockSkewSeconds: z.nullable(z.number()),
      }),
    ),
    databaseBytes: z.number(),
    migration: z.string(),
    databaseVersion: z.string(),
    replicas: z.array(
      z.object({
        name: z.string(),
        /** `streaming` when all is well; null where the server's login may not see it. */
        state: z.nullable(z.string()),
        synchronous: z.boolean(),
        behindBytes: z.nullable(z.number()),
        lagSeconds: z.nullable(z.number()),
      }),
    ),
    /** The disk of DATA_DIR on the node that answers; null where it can't be asked. */
    disk: z.nullable(z.object({ freeBytes: z.number(), totalBytes: z.number() })),
    /** End of the public address's certificate; null without TLS, or when nobody answers there. */
    certificateEndsAt: moment,
    /** The database that comes with the packages, for trying: a real bank deserves one of its own. */
    databaseEmbedded: z.boolean(),
  }),
})
export type SystemStatusView = z.infer<typeof systemStatusView>

const tag = "Administração: sistema"
const params = z.object({ id: text(200) })
const done = { status: 200, schema: messageReply } as const

export const getSystemStatusEndpoint = defineEndpoint("getSystemStatus", heads.getSystemStatus, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Como está o que funciona sozinho: banco, filas, tarefas, contabilidade",
  reply: { status: 200, schema: success(systemStatusView) },
})

export const retryInboxMessageEndpoint = defineEndpoint("retryInboxMessage", heads.retryInboxMessage, {
  audience: "admin",
  tag,
  summary: "Tenta agora um aviso do banco que espera",
  params,
  reply: done,
})

export const retryMailEndpoint = defineEndpoint("retryMail", heads.retryMail, {
  audience: "admin",
  tag,
  summary: "Tenta enviar agora um e-mail que falhou",
  params,
  reply: done,
})

export const runJobEndpoint = defineEndpoint("runJob", heads.runJob, {
  audience: "admin",
  tag,
  summary: "Executa agora uma tarefa, que viria sozinha mais tarde; as tarefas estão no estado do sistema",
  params: z.object({ name: z.string() }),
  reply: done,
})

export const requestLedgerCheckEndpoint = defineEndpoint("requestLedgerCheck", heads.requestLedgerCheck, {
  audience: "admin",
  tag,
  summary: "Começa a verificar a contabilidade; o resultado aparece no estado do sistema",
  reply: { status: 201, schema: messageReply },
})

export const requestBackupEndpoint = defineEndpoint("requestBackup", heads.requestBackup, {
  audience: "admin",
  tag,
  summary: "Começa um backup em BACKUP_DIR; o resultado aparece no estado do sistema",
  stepUp: "always",
  reply: { status: 201, schema: messageReply },
})

const exampleId = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"
const now = "2026-11-21T12:00:00.000Z"
const none = { count: 0, oldestAt: null }

export const systemExamples = [
  defineExample(getSystemStatusEndpoint, {
    data: {
      now,
      findings: [
        { part: "ledger", tone: "success", says: "Todos os saldos e totais conferem", advice: null },
        {
          part: "backup",
          tone: "warning",
          says: "Nenhuma restauração foi experimentada",
          advice: "Experimente uma em outra máquina ou nesta: npm run restore -- ARQUIVO --verify.",
        },
      ],
      provider: {
        name: "simulator",
        label: "Simulador (testes)",
        receiptsSeenUntil: now,
        lastContactAt: now,
        lastFailure: null,
        lastWebhookAt: now,
        webhookRegisteredAt: now,
        certificateEndsAt: null,
      },
      inbox: { waiting: 0, oldestAt: null, failing: [] },
      mails: { waiting: 0, oldestAt: null, givenUp: 0, problems: [] },
      payouts: none,
      refunds: none,
      removals: none,
      jobs: [],
      backup: {
        isOn: true,
        isElsewhere: false,
        isEncrypted: true,
        isExposed: false,
        isRunning: false,
        startedAt: now,
        requestedBy: null,
        failure: null,
        result: { file: "tilinta-2026-11-21T05-00-12-084Z.backup", startedAt: now, finishedAt: now, bytes: 4_194_304 },
        restoreCheck: {
          finishedAt: now,
          checkedBy: "tilinta@caixa-1",
          file: "tilinta-2026-11-21T05-00-12-084Z.backup",
          takenAt: now,
          rows: 81_234,
          differenceCount: 0,
          seconds: 14,
          failure: null,
        },
      },
      ledgerCheck: { isRunning: false, startedAt: null, requestedBy: null, failure: null, result: null },
      guard: { protection: "strict", approvers: 2, secondApprovalAbove: 5000 },
      installation: {
        version: "0.1.0",
        nodes: [],
        databaseBytes: 12_582_912,
        migration: "23",
        databaseVersion: "18.4",
        replicas: [],
        disk: { freeBytes: 80_000_000_000, totalBytes: 100_000_000_000 },
        certificateEndsAt: "2027-02-19T12:00:00.000Z",
        databaseEmbedded: false,
      },
    },
    failures: [],
  }),
  defineExample(retryInboxMessageEndpoint, {
    params: { id: "1042" },
    reply: { status: "success", message: "O aviso será tentado agora." },
    failures: ["inbox_message_not_found"],
  }),
  defineExample(retryMailEndpoint, {
    params: { id: exampleId },
    reply: { status: "success", message: "O e-mail será enviado agora." },
    failures: ["mail_not_found", "mail_not_repeatable"],
  }),
  defineExample(runJobEndpoint, {
    params: { name: "reconcile-receipts" },
    reply: { status: "success", message: "A tarefa começou." },
    failures: [],
  }),
  defineExample(requestLedgerCheckEndpoint, {
    reply: { status: "success", message: "A verificação começou." },
    failures: ["ledger_check_running"],
  }),
  defineExample(requestBackupEndpoint, {
    reply: { status: "success", message: "O backup começou." },
    failures: ["backup_running", "backups_off"],
  }),
]
