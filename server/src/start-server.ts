import { hostname } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { JobByHand } from "@tilinta/contract/vocabulary/jobs"
import type { FastifyInstance } from "fastify"
import { createCsvExports } from "#db/csv-exports"
import { startEmbeddedPostgres } from "#db/embedded-postgres"
import { migrate } from "#db/migrate"
import { openPools, type Pools } from "#db/open-pools"
import { pickFreePort } from "#db/postmaster"
import { createInboxWorker } from "#domain/bank/psp-inbox/inbox-worker"
import { ensurePspConnection } from "#domain/bank/psp-inbox/psp-connection"
import { webhookStore } from "#domain/bank/psp-inbox/store-webhook"
import { reconcileReceipts } from "#domain/bank/reconciliation/reconcile-receipts"
import { withdrawalRequests } from "#domain/money/withdrawals/request-withdrawal"
import { createLedgerChecker } from "#domain/overviews/ledger-checks/ledger-checker"
import { ensureFirstAdmin } from "#domain/people/users/ensure-first-admin"
import { userNamer } from "#domain/people/users/user-names"
import { mostExports } from "#domain/platform/audit/start-export"
import type { ServerNode } from "#domain/platform/nodes/node-heartbeats"
import { createOpeningCounter } from "#domain/platform/openings/opening-counter"
import { createChargeSteps } from "#domain/selling/charges/charge-steps"
import { createPaymentStatuses } from "#domain/selling/charges/payment-statuses"
import { createEvents } from "#events/events"
import { createPreviewPainter } from "#http/previews/preview-painter"
import { webhookPath } from "#http/psp-webhooks/pix-webhook-routes"
import { type Jobs, startJobs } from "#jobs/start-jobs"
import { type Clock, systemClock } from "#kit/clock"
import { newId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { StartError } from "#kit/start-error"
import { version } from "#kit/version"
import { watchPressure } from "#kit/watch-pressure"
import type { Mailer } from "#mail/mailer"
import { createOutboxMailer } from "#mail/outbox-mailer"
import { connectByName, connectSimulator } from "#psp/connect-psp"
import { createContactRecorder } from "#psp/contact-recorder"
import type { Psp } from "#psp/psp"
import { watchPsp } from "#psp/watched-psp"
import { buildApp } from "./app.ts"
import type { Env } from "./env.ts"
import { createShutdown, type Shutdown } from "./shutdown.ts"

export interface RunningServer {
  publicUrl: string
  /** Set when a first admin was created; its generated password is stored nowhere. */
  firstAdmin: { email: string; inventedPassword: string | null } | null
  stop(): Promise<void>
}

interface Starting {
  env: Env
  log: Logger
  shutdown: Shutdown
  /** Aborts the start before its next step. */
  signal: AbortSignal
}

const siteFolder = fileURLToPath(new URL("../../web/dist", import.meta.url))
const closeAfterMs = 4_000

/** Starts every part; when one fails, those already started are stopped again. */
export async function startServer(env: Env, log: Logger, signal: AbortSignal): Promise<RunningServer> {
  const shutdown = createShutdown(log)
  try {
    return await startParts({ env, log, shutdown, signal })
  } catch (error) {
    await shutdown.stopAll()
    throw error
  }
}

async function startParts({ env, log, shutdown, signal }: Starting): Promise<RunningServer> {
  // Checked before anything starts, so that missing variables of the bank are reported at once.
  const bank = connectByName[env.pixProvider]?.(env.pix, log) ?? null
  if (bank !== null && env.smtpUrl === null) log.warn("without SMTP_URL no mail leaves, and none is shown either")
  const port = env.port === 0 ? await pickFreePort() : env.port
  const publicUrl = env.publicUrl.replace(/:0$/, `:${port}`)
  const [{ pools, databaseUrl }, { psp: provider, simulatorUrl }] = await bothOrNone(
    startDatabase({ env, log, shutdown, signal }),
    bank === null ? startSandbox({ env, log, shutdown, signal }) : { psp: bank, simulatorUrl: null },
  )
  signal.throwIfAborted()
  const { db, reportsDb, jobsDb, lookupDb, requestQueue } = pools
  const pressure = watchPressure({ requestQueue, log })
  shutdown.add({ name: "pressure", limitMs: 100, stop: async () => pressure.stop() })
  const clock = systemClock
  const contactNotes = createContactRecorder(clock)
  const psp = watchPsp(provider, contactNotes)
  const firstAdmin = await ensureFirstAdmin({ db, clock }, { email: env.adminEmail, password: env.adminPassword })
  const { webhookSecret } = await ensurePspConnection({ db, clock }, psp.name)
  const csvExports = createCsvExports({ url: databaseUrl, max: mostExports, log })
  shutdown.add({ name: "exports", limitMs: 500, stop: () => csvExports.stop() })
  const events = createEvents({ url: databaseUrl, log })
  shutdown.add({ name: "events", limitMs: 500, stop: () => events.stop() })

  const mailer = env.smtpUrl === null ? createOutboxMailer({ db, clock }) : await openSmtp(env.smtpUrl)
  shutdown.add({ name: "mail", limitMs: 300, stop: () => mailer.stop() })

  const openings = createOpeningCounter({ db, clock })
  shutdown.add({ name: "counted openings", limitMs: 300, stop: () => openings.flush() })

  const ledgerChecker = createLedgerChecker({ url: databaseUrl, db, clock, log })
  shutdown.add({ name: "ledger check", limitMs: 500, stop: () => ledgerChecker.stop() })

  let jobs: Jobs | undefined
  const lookups = { db: lookupDb, psp, clock, log }
  const inbox = createInboxWorker(lookups)
  const store = webhookStore({ db, clock, psp, worker: inbox })
  const webhook = {
    provider: psp.name,
    webhookSecret,
    async storeWebhook(body: Buffer) {
      await store(body)
      contactNotes.webhookReceived()
    },
  }
  const { trustedProxies } = env
  const shared = { clock, log, psp, openings, publicUrl, ledgerChecker }
  const reach = { webhook, trustedProxies, simulatorUrl, siteFolder, wakeJob: (name: JobByHand) => jobs?.wake(name) }
  const previews = createPreviewPainter({ fontFolder: join(siteFolder, "preview") })
  const verbs = {
    chargeSteps: createChargeSteps(lookupDb),
    requestWithdrawal: withdrawalRequests(lookups),
    paymentStatuses: createPaymentStatuses(db),
    nameUsers: userNamer(db),
  }
  const app = await buildApp({ ...shared, ...reach, ...verbs, db, reportsDb, previews, csvExports, events, pressure })
  shutdown.add({
    name: "http and jobs",
    limitMs: closeAfterMs + 1_500,
    stop: () => Promise.all([closeApp(app), jobs?.stop(), inbox.stop()]),
  })
  signal.throwIfAborted()
  await listen(app, env.host, port)
  const webhookUrl = `${reachableUrl(env, port, publicUrl)}${webhookPath(psp.name, webhookSecret)}`
  const own = { inbox, mailer, contactNotes, reconcileReceipts: () => reconcileReceipts(lookups), webhookUrl }
  jobs = startJobs({ ...shared, ...own, db: jobsDb, node: thisNode(clock) })
  return { publicUrl, firstAdmin, stop: shutdown.stopAll }
}

/** Loaded only when mail is sent by SMTP, because the library is large. */
async function openSmtp(smtpUrl: string): Promise<Mailer> {
  const { createSmtpMailer } = await import("#mail/smtp-mailer")
  return createSmtpMailer(smtpUrl)
}

function thisNode(clock: Clock): ServerNode {
  return { id: newId(), host: hostname(), version, startedAt: clock.now() }
}

async function startDatabase({ env, log, shutdown, signal }: Starting): Promise<{ pools: Pools; databaseUrl: string }> {
  const databaseUrl = env.databaseUrl ?? (await startOwnPostgres({ env, log, shutdown, signal }))
  signal.throwIfAborted()
  await migrate({ ownerUrl: databaseUrl, log })
  const pools = openPools({ url: databaseUrl, log })
  shutdown.add({ name: "database connections", limitMs: 500, stop: pools.stop })
  return { pools, databaseUrl }
}

async function startOwnPostgres({ env, log, shutdown, signal }: Starting): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: env.dataDir, log, signal })
  shutdown.add({ name: "embedded database", limitMs: 2_500, stop: () => postgres.stop() })
  return postgres.url
}

async function startSandbox(starting: Starting): Promise<{ psp: Psp; simulatorUrl: string | null }> {
  const { env, log } = starting
  const simulator = await findSimulator(starting)
  return { psp: connectSimulator({ ...env.simulator, ...simulator }, log), simulatorUrl: simulator.url }
}

/** The configured simulator, or our own on a free local port. */
async function findSimulator({ env, log, shutdown }: Starting): Promise<{ url: string; receiverKey: string }> {
  const { url, clientId, clientSecret, receiverKey } = env.simulator
  if (url !== null && receiverKey !== null) return { url, receiverKey }

  const { startSimulator } = await import("@tilinta/simulator/start-simulator")
  const simulator = await startSimulator({
    port: 0,
    dataDir: join(env.dataDir, "simulator"),
    clientId,
    clientSecret,
    ...(receiverKey !== null && { receiverKey }),
    log: (line) => log.info({ part: "simulator" }, line),
  })
  shutdown.add({ name: "simulator", limitMs: 700, stop: () => simulator.stop() })
  return simulator
}

/** Waits for both even if one fails, so that nothing is still starting afterwards. */
async function bothOrNone<A, B>(a: Promise<A>, b: Promise<B> | B): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return Promise.all([a, b])
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EADDRINUSE") throw new StartError(`PORT: a porta ${port} já está em uso; escolha outra com PORT=…`)
    if (code === "EACCES") throw new StartError(`PORT: sem permissão para abrir a porta ${port}; escolha outra.`)
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new StartError(`HOST: o endereço ${host} não existe nesta máquina.`)
    }
    throw error
  }
}

/** Our own simulator reaches the server locally; a bank elsewhere needs the public address. */
function reachableUrl(env: Env, port: number, publicUrl: string): string {
  if (env.pixProvider !== "simulator" || env.simulator.url !== null) return publicUrl
  const host = env.host === "0.0.0.0" ? "127.0.0.1" : env.host === "::" ? "::1" : env.host
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** Finishes requests under way, and closes connections that are idle or take too long. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  const late = setTimeout(() => app.server.closeAllConnections(), closeAfterMs)
  await app.close().finally(() => {
    clearInterval(idle)
    clearTimeout(late)
  })
}
