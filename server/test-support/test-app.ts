import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openTo } from "@tilinta/simulator/open-to"
import type { FastifyInstance, InjectOptions } from "fastify"
import type { PostgresPool } from "kysely"
import { webhookStore } from "#bank/psp-inbox/store"
import { createTableExports } from "#db/exports"
import { createDb, type SoleDb } from "#db/transaction"
import type { Events } from "#events/events"
import { secondsAfter } from "#kit/clock"
import { createLog, type Logger } from "#kit/log"
import type { OtlpTarget } from "#kit/otlp-tracer"
import type { OutsideAccess } from "#kit/outside"
import type { Pressure } from "#kit/pressure"
import { createDrain, type Drain, type Protection } from "#kit/request-scope"
import type { PayerTokens } from "#kit/secrets"
import { createCheckpointCopy } from "#money/chain/copy"
import { ensureSigningKeys, openSigningKeys } from "#money/chain/keys"
import { createLedgerChecker, type LedgerChecker } from "#overviews/ledger-checks/check"
import { userNamer } from "#people/users/user-names"
import { type AccessNotes, createAccessNotes } from "#platform/audit/access-notes"
import { mostExports } from "#platform/audit/export"
import { type BackupMaker, createBackupMaker } from "#platform/backups/make"
import { createOpeningCounter, type OpeningCounter } from "#platform/system/node"
import { unmovable } from "#platform/system/sandbox-clock"
import { connectSimulator } from "#psp/connect-psp"
import type { Psp } from "#psp/psp"
import { type ChargeSteps, createChargeSteps } from "#selling/charges/open"
import { openPayerTokens } from "#selling/charges/payer-data"
import { createPaymentStatuses } from "#selling/charges/statuses"
import { buildApp } from "../src/start/app.ts"
import { secretKeys } from "./secret-keys.ts"
import { createTestDatabase, type TestDatabase } from "./test-database.ts"
import { noHands } from "./test-webhooks.ts"

interface Answer {
  status: number
  json: ReturnType<JSON["parse"]>
  text: string
  headers: Record<string, string | string[] | number | undefined>
}

export interface TestApp {
  app: FastifyInstance
  db: SoleDb
  database: TestDatabase
  chargeSteps: ChargeSteps
  openings: OpeningCounter
  accessNotes: AccessNotes
  protection: Protection
  payerTokens: PayerTokens
  ledgerChecker: LedgerChecker
  /** Its backups are files of six bytes. */
  backupMaker: BackupMaker
  /** Job runs that an admin requested. */
  wokenJobs: readonly string[]
  /** Stands still until a test moves it. */
  clock: { now(): Date; pass(seconds: number): void }
  call(method: InjectOptions["method"], url: string, options?: CallOptions): Promise<Answer>
  /** Registers a seller, whose e-mail counts as confirmed, and returns the token. */
  signUp(email: string): Promise<string>
  close(): Promise<void>
}

interface CallOptions {
  /** A buffer is sent as it is, as a file. */
  body?: unknown
  /** Sent verbatim, with the content type of JSON. */
  rawBody?: string
  token?: string
  headers?: Record<string, string>
  from?: string
}

interface TestAppOptions {
  simulatorUrl?: string | null
  /** SIMULATOR_OPEN_TO; by default only this machine. */
  networks?: readonly string[]
  publicUrl?: string
  /** By default `publicUrl`. */
  payersUrl?: string
  trustedProxies?: string[]
  metricsToken?: string
  protection?: Protection
  /** By default no provider is connected. */
  psp?: Psp
  log?: Logger
  /** Load shedding is off by default. */
  pressure?: Pressure
  /** The only pool of the app, with a deadline for callers who wait for a connection; by default they wait patiently. */
  pool?: (url: string) => PostgresPool
  /** By default the sandbox's, with a name server that knows no name. */
  outside?: OutsideAccess
  /** Listens to published events; by default nothing does. */
  events?: (database: TestDatabase) => Events
  drain?: Drain
  otlp?: OtlpTarget
  /** Another app's, so that both are nodes of one installation; by default one of its own. */
  sharedDatabase?: TestDatabase
}

export const sellerForm = {
  name: "Ana Souza",
  email: "ana@loja.example",
  password: "senha-da-ana",
  passwordConfirm: "senha-da-ana",
  cpf: "52998224725",
  phone: "11987654321",
  address: {
    street: "Rua A",
    number: "10",
    complement: "",
    neighborhood: "Centro",
    city: "Recife",
    state: "PE",
    zipCode: "50000000",
  },
}

const nowhere = { url: "http://127.0.0.1:9", clientId: "x", clientSecret: "x", receiverKey: "x" }

const unheard = () => () => undefined
const silentEvents: Events = {
  onCharge: unheard,
  onSeller: unheard,
  onSessionsOf: unheard,
  onAnyCharge: unheard,
  onEventsOf: unheard,
  onRemovalsDue: unheard,
  stop: async () => undefined,
}

/** The whole app on a database of its own, without a provider, and with a stub for the site. */
export async function openTestApp({
  simulatorUrl = null,
  networks = [],
  publicUrl = "http://localhost:3000",
  payersUrl = publicUrl,
  trustedProxies = [],
  metricsToken,
  protection = "relaxed",
  log = createLog("silent"),
  psp = connectSimulator(nowhere, log),
  events,
  outside = { resolve: async () => [], allowsLocal: true },
  pool,
  pressure = { level: () => "calm" },
  drain = createDrain(0),
  otlp,
  sharedDatabase,
}: TestAppOptions = {}): Promise<TestApp> {
  const database = sharedDatabase ?? (await createTestDatabase())
  const appDb = pool === undefined ? database.db : createDb(pool(database.url))
  const siteFolder = await mkdtemp(join(tmpdir(), "tilinta-site-"))
  await writeSite(siteFolder)
  let now = new Date("2026-11-21T12:00:00Z")
  const clock = {
    now: () => now,
    pass: (seconds: number) => {
      now = secondsAfter(now, seconds)
    },
  }
  const tableExports = createTableExports({ url: database.url, max: mostExports })
  const openings = createOpeningCounter({ db: database.db, clock })
  const accessNotes = createAccessNotes({ db: database.db, clock })
  const backupMaker = createBackupMaker({
    url: database.url,
    db: database.db,
    clock,
    log,
    plan: {
      folder: join(siteFolder, "backups"),
      ...{ isElsewhere: false, isEncrypted: false, isExposed: false, isRealMoney: false },
    },
    write: (path) => writeFile(path, "backup").then(() => 6),
  })
  const signing = { db: database.db, clock, secretKeys }
  await ensureSigningKeys(signing)
  const signingKeys = openSigningKeys(signing)
  const ledgerChecker = createLedgerChecker({ url: database.url, db: database.db, clock, log, signingKeys })
  const wokenJobs: string[] = []
  const storeWebhook = webhookStore({ db: appDb, clock, psp, worker: noHands })
  const chargeSteps = createChargeSteps(appDb)
  const payerTokens = await openPayerTokens({ db: database.db, protection })
  const app = await buildApp({
    db: appDb,
    reportsDb: appDb,
    chargeSteps,
    paymentStatuses: createPaymentStatuses(appDb),
    nameUsers: userNamer(appDb),
    pressure,
    drain,
    tableExports,
    clock,
    protection,
    payerTokens,
    secretKeys,
    signingKeys,
    checkpointCopy: createCheckpointCopy({ file: null, url: null, log }),
    dueClock: unmovable(clock),
    outside,
    log,
    psp,
    events: events?.(database) ?? silentEvents,
    openings,
    accessNotes,
    previews: { paint: async (version) => Buffer.from(version), stop: () => undefined },
    ledgerChecker,
    backupMaker,
    machine: {
      read: async () => ({
        disk: { freeBytes: 3_000, totalBytes: 4_000 },
        certificateEndsAt: null,
        isDatabaseEmbedded: true,
      }),
    },
    jobs: { wake: (name) => wokenJobs.push(name), isRunning: (name) => name === "back-up" },
    webhooks: [{ psp, provider: psp.name, webhookSecret: "segredo", storeWebhook }],
    publicUrl,
    payersUrl,
    trustedProxies,
    metricsToken: metricsToken ?? null,
    otlp: otlp ?? null,
    simulatorUrl,
    mayControl: openTo({ networks, ownHosts: [new URL(publicUrl).hostname] }),
    siteFolder,
  })

  async function call(method: InjectOptions["method"], url: string, options: CallOptions = {}): Promise<Answer> {
    const { body, rawBody, token, from } = options
    const file = Buffer.isBuffer(body) ? body : null
    const isJson = file === null && (body !== undefined || rawBody !== undefined)
    const reply = await app.inject({
      method: method ?? "GET",
      url,
      headers: {
        ...(isJson && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...options.headers,
      },
      ...(isJson && { payload: rawBody ?? JSON.stringify(body) }),
      ...(file !== null && { payload: file }),
      ...(from !== undefined && { remoteAddress: from }),
    })
    const isJsonReply = String(reply.headers["content-type"]).startsWith("application/json")
    return {
      status: reply.statusCode,
      json: isJsonReply && reply.body !== "" ? reply.json() : undefined,
      text: reply.body,
      headers: reply.headers,
    }
  }

  return {
    app,
    wokenJobs,
    ledgerChecker,
    backupMaker,
    openings,
    accessNotes,
    protection,
    payerTokens,
    db: database.db,
    database,
    chargeSteps,
    clock,
    call,
    async signUp(email) {
      const reply = await call("POST", "/api/v1/auth/signup", { body: { ...sellerForm, email } })
      const unconfirmed = database.db.updateTable("users").where("email_state", "=", "unconfirmed")
      await unconfirmed.where("email_key", "=", email.toLowerCase()).set({ email_state: "confirmed" }).execute()
      return reply.json.token
    },
    async close() {
      await app.close()
      await Promise.all([ledgerChecker.stop(), backupMaker.stop()])
      await tableExports.stop()
      if (sharedDatabase === undefined) await database.drop()
      await rm(siteFolder, { recursive: true, force: true })
    },
  }
}

const indexHtml = `<!doctype html><html data-platform="Tilinta" data-payers=""><head><title>Tilinta</title>
<script>let a</script><style>a{}</style></head><body>app</body></html>`
const renderer = `export function renderCheckout(props, nonce) {
  return "<script nonce=\\"" + nonce + "\\">" + JSON.stringify(props) + "</script>"
}
`

async function writeSite(folder: string): Promise<void> {
  await mkdir(join(folder, "app", "assets"), { recursive: true })
  await mkdir(join(folder, "checkout"))
  await mkdir(join(folder, "verify"))
  await Promise.all([
    writeFile(join(folder, "app", "index.html"), indexHtml),
    writeFile(join(folder, "app", "robots.txt"), "User-agent: *"),
    writeFile(join(folder, "app", "assets", "main-abc123.js"), "let b"),
    writeFile(join(folder, "checkout", "render.js"), renderer),
    writeFile(join(folder, "verify", "page.js"), "let c"),
  ])
}
