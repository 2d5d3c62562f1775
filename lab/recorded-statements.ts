import { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { literalSql } from "../server/src/db/backup/backup-tables.ts"
import { csvOf } from "../server/src/db/exports.ts"
import { createPool } from "../server/src/db/pools.ts"
import { createDb } from "../server/src/db/transaction.ts"
import type { Events } from "../server/src/events/events.ts"
import { systemClock } from "../server/src/kit/clock.ts"
import { createLog } from "../server/src/kit/log.ts"
import { createDrain } from "../server/src/kit/request-scope.ts"
import { createCheckpointCopy } from "../server/src/money/chain/copy.ts"
import { openSigningKeys } from "../server/src/money/chain/keys.ts"
import { userNamer } from "../server/src/people/users/user-names.ts"
import type { BackupMaker } from "../server/src/platform/backups/make.ts"
import { unmovable } from "../server/src/platform/system/sandbox-clock.ts"
import { connectSimulator } from "../server/src/psp/connect-psp.ts"
import { createChargeSteps } from "../server/src/selling/charges/open.ts"
import { openPayerTokens } from "../server/src/selling/charges/payer-data.ts"
import { createPaymentStatuses } from "../server/src/selling/charges/statuses.ts"
import { buildApp } from "../server/src/start/app.ts"
import "../server/test-support/order-keys.ts"

export interface Statement {
  text: string
  values: readonly unknown[]
}

export interface Recorder {
  /** The statements that a request reads with, recorded from the product itself. */
  statementsOf(path: string, token: string): Promise<Statement[]>
  /** The SELECT of an export. */
  exportOf(path: string, token: string): Promise<string>
  /** Runs one statement through the bare driver. */
  run(statement: Statement): Promise<unknown[]>
  close(): Promise<void>
}

type Pool = ReturnType<typeof createPool>

const siteFolder = fileURLToPath(new URL("../web/dist", import.meta.url))
const noSecrets = () => {
  throw new Error("nobody in the bench has a second factor")
}
const ignore = () => () => undefined
/** The name of a prepared plan may precede it as a comment. */
const isRead = /^\s*(\/\*.*?\*\/\s*)?(select|with)\b/i
const log = createLog("error")

const silentEvents: Events = {
  onCharge: ignore,
  onSeller: ignore,
  onSessionsOf: ignore,
  onAnyCharge: ignore,
  onEventsOf: ignore,
  onRemovalsDue: ignore,
  stop: async () => undefined,
}

const ended = { idle: async () => undefined, stop: async () => undefined }
const backupMaker: BackupMaker = {
  plan: { folder: null, isElsewhere: false, isEncrypted: false, isExposed: false, isRealMoney: false },
  start: async () => "off",
  ...ended,
}

/** Runs the same app in this process, over a pool that records its statements. */
export async function openRecorder(databaseUrl: string): Promise<Recorder> {
  const deadlines = { statementMs: 300_000, silenceMs: 300_000 }
  const pool = createPool({ url: databaseUrl, max: 4, applicationName: "bench", ...deadlines })
  let statements: Statement[] = []
  const exports: string[] = []
  const keepExport = async (query: Parameters<typeof literalSql>[0]) => {
    exports.push(literalSql(query))
    return Readable.from([Buffer.from("x")])
  }
  const db = createDb(recording(pool, (statement) => statements.push(statement)))
  const app = await buildApp({
    db,
    reportsDb: db,
    chargeSteps: createChargeSteps(db),
    paymentStatuses: createPaymentStatuses(db),
    nameUsers: userNamer(db),
    pressure: { level: () => "calm" },
    tableExports: {
      open: keepExport,
      openJson: keepExport,
      openXlsx: (table) => keepExport(csvOf(table)),
      stop: async () => undefined,
    },
    clock: systemClock,
    protection: "relaxed",
    payerTokens: await openPayerTokens({ db, protection: "relaxed" }),
    secretKeys: noSecrets,
    checkpointCopy: createCheckpointCopy({ file: null, url: null, log }),
    signingKeys: openSigningKeys({ db, clock: systemClock, secretKeys: noSecrets }),
    dueClock: unmovable(systemClock),
    outside: { resolve: async () => [], allowsLocal: true },
    log,
    psp: connectSimulator({ url: "http://127.0.0.1:9", clientId: "x", clientSecret: "x", receiverKey: "x" }, log),
    events: silentEvents,
    openings: { count: () => undefined, flush: async () => undefined },
    accessNotes: { note: () => undefined, flush: async () => undefined },
    previews: { paint: async () => Buffer.alloc(0), stop: () => undefined },
    ledgerChecker: { start: async () => false, ...ended },
    backupMaker,
    machine: { read: async () => ({ disk: null, certificateEndsAt: null, isDatabaseEmbedded: false }) },
    jobs: { wake: () => undefined, isRunning: () => false },
    webhooks: [],
    publicUrl: "http://localhost:3000",
    payersUrl: "http://localhost:3000",
    trustedProxies: [],
    metricsToken: null,
    otlp: null,
    drain: createDrain(0),
    simulatorUrl: null,
    mayControl: () => false,
    siteFolder,
  })

  async function call(path: string, token: string): Promise<void> {
    const reply = await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
    if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${reply.body}`)
  }

  return {
    async statementsOf(path, token) {
      statements = []
      await call(path, token)
      return statements.filter(({ text }) => isRead.test(text))
    },
    async exportOf(path, token) {
      await call(path, token)
      return exports.at(-1) ?? ""
    },
    run: async ({ text, values }) => (await pool.query(text, [...values])).rows,
    async close() {
      await app.close()
      await pool.end()
    },
  }
}

function recording(pool: Pool, note: (statement: Statement) => void): Pool {
  const connect = async () => {
    const client = await pool.connect()
    const query = (text: string, values: readonly unknown[]) => {
      note({ text, values })
      return client.query(text, [...values])
    }
    return { query, release: () => client.release() }
  }
  return { connect, end: async () => undefined } as unknown as Pool
}
