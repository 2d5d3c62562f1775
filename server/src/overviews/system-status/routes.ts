import {
  getSystemStatusEndpoint,
  requestBackupEndpoint,
  requestLedgerCheckEndpoint,
  retryInboxMessageEndpoint,
  retryMailEndpoint,
  runJobEndpoint,
} from "@tilinta/contract/system"
import type { FastifyInstance } from "fastify"
import { retryInboxMessage } from "#bank/psp-inbox/store"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Machine } from "#kit/machine"
import type { Protection } from "#kit/request-scope"
import { type LedgerChecker, requestLedgerCheck } from "#overviews/ledger-checks/check"
import { adminOf } from "#people/sessions/caller"
import type { BackupMaker } from "#platform/backups/make"
import { requestBackup } from "#platform/backups/request"
import { retryMail } from "#platform/mails/send-mails"
import { type JobControl, runJobByHand } from "#platform/system/job-runs"
import type { Psp } from "#psp/psp"
import { readSystemFacts } from "./status.ts"
import { toSystemStatusView } from "./views.ts"

interface Deps {
  db: Db
  clock: Clock
  psp: Psp
  protection: Protection
  ledgerChecker: LedgerChecker
  backupMaker: BackupMaker
  machine: Machine
  jobs: JobControl
}

export function systemRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, getSystemStatusEndpoint, async () => {
    const facts = await readSystemFacts({ ...deps, backups: deps.backupMaker.plan })
    return toSystemStatusView(facts, deps.psp)
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
