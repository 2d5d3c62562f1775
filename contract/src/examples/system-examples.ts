import {
  getSystemStatusEndpoint,
  requestBackupEndpoint,
  requestLedgerCheckEndpoint,
  retryInboxMessageEndpoint,
  retryMailEndpoint,
  runJobEndpoint,
} from "../api/system-endpoints.ts"
import { defineExample } from "./define-example.ts"

const id = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"
const now = "2026-11-21T12:00:00.000Z"
const none = { count: 0, oldestAt: null }

export const systemExamples = [
  defineExample(getSystemStatusEndpoint, {
    reply: {
      status: "success",
      data: {
        now,
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
          ...{ isOn: true, isEncrypted: true, isRunning: false, startedAt: now, requestedBy: null, failure: null },
          result: {
            file: "tilinta-2026-11-21T05-00-12-084Z.backup",
            startedAt: now,
            finishedAt: now,
            bytes: 4_194_304,
          },
          restoreCheck: {
            ...{ finishedAt: now, checkedBy: "tilinta@caixa-1", file: "tilinta-2026-11-21T05-00-12-084Z.backup" },
            ...{ takenAt: now, rows: 81_234, differenceCount: 0, seconds: 14, failure: null },
          },
        },
        ledgerCheck: { isRunning: false, startedAt: null, requestedBy: null, failure: null, result: null },
        guard: { protection: "strict", approvers: 2, secondApprovalAbove: 5000 },
        installation: {
          ...{ version: "0.1.0", nodes: [], databaseBytes: 12_582_912, migration: "23", databaseVersion: "18.4" },
          ...{ replicas: [], disk: { freeBytes: 80_000_000_000, totalBytes: 100_000_000_000 } },
          ...{ certificateEndsAt: "2027-02-19T12:00:00.000Z", databaseEmbedded: false },
        },
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
    params: { id },
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
