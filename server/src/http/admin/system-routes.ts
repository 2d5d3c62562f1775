import {
  getSystemStatusEndpoint,
  requestBackupEndpoint,
  requestLedgerCheckEndpoint,
  retryInboxMessageEndpoint,
  retryMailEndpoint,
  runJobEndpoint,
} from "@tilinta/contract/api/system-endpoints"
import type { JobByHand } from "@tilinta/contract/vocabulary/jobs"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { retryInboxMessage } from "#domain/bank/psp-inbox/retry-inbox-message"
import type { LedgerChecker } from "#domain/overviews/ledger-checks/ledger-checker"
import { requestLedgerCheck } from "#domain/overviews/ledger-checks/request-ledger-check"
import { readSystemStatus } from "#domain/overviews/system-status/read-system-status"
import type { BackupMaker } from "#domain/platform/backups/backup-maker"
import { requestBackup } from "#domain/platform/backups/request-backup"
import { runJobByHand } from "#domain/platform/job-runs/run-job-by-hand"
import { retryMail } from "#domain/platform/mails/send-mails"
import { serveEndpoint } from "#http/serve-endpoint"
import { toSystemStatusView } from "#http/system-status-view"
import type { Clock } from "#kit/clock"
import type { Machine } from "#kit/machine"
import type { Protection } from "#kit/protection"
import type { Psp } from "#psp/psp"
import { adminOf } from "./require-admin.ts"

interface Deps {
  db: Db
  clock: Clock
  psp: Psp
  protection: Protection
  ledgerChecker: LedgerChecker
  backupMaker: BackupMaker
  machine: Machine
  wakeJob(name: JobByHand): void
}

export function systemRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, getSystemStatusEndpoint, async () => {
    const now = deps.clock.now()
    const [status, facts] = await Promise.all([readSystemStatus(deps.db, deps.psp.name, now), deps.machine.read()])
    return toSystemStatusView(status, { ...deps, facts }, now)
  })

  serveEndpoint(app, retryInboxMessageEndpoint, async ({ params, request }) => {
    await retryInboxMessage(deps, { id: params.id, admin: adminOf(request) })
    return { message: "O aviso será tentado agora." }
  })

  serveEndpoint(app, retryMailEndpoint, async ({ params, request }) => {
    await retryMail(deps, { id: params.id, admin: adminOf(request) })
    return { message: "O e-mail será enviado agora." }
  })

  serveEndpoint(app, runJobEndpoint, async ({ params, request }) => {
    await runJobByHand(deps, { name: params.name, admin: adminOf(request) })
    return { message: "A tarefa começou." }
  })

  serveEndpoint(app, requestLedgerCheckEndpoint, async ({ request }) => {
    await requestLedgerCheck(deps, adminOf(request))
    return { message: "A verificação começou." }
  })

  serveEndpoint(app, requestBackupEndpoint, async ({ request }) => {
    await requestBackup(deps, adminOf(request))
    return { message: "O backup começou." }
  })
}
