import { mkdir, readdir, rm } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { JobByHand } from "@tilinta/contract/vocabulary/system"
import { openTo } from "@tilinta/simulator/open-to"
import type { FastifyInstance } from "fastify"
import { ensurePspConnection, saveConnected } from "#bank/psp-inbox/connection"
import { createInboxWorker, type InboxDeps } from "#bank/psp-inbox/process"
import { webhookPath } from "#bank/psp-inbox/routes"
import { webhookStore } from "#bank/psp-inbox/store"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { runBackup } from "#commands/run-backup"
import { unfinishedEnding, writeBackupFile } from "#db/backup/backup-file"
import { takeBackup } from "#db/backup/take-backup"
import { createCsvExports } from "#db/csv"
import { migrate } from "#db/migrate"
import { openPools, type Pools } from "#db/pools"
import { openServingRoute } from "#db/roles"
import type { DatabaseRoute } from "#db/route"
import type { LookupDb } from "#db/transaction"
import { createEvents } from "#events/events"
import { type Acceptor, createAcceptor } from "#http/accept-connections"
import { createPreviewPainter } from "#http/previews/preview-painter"
import { toEventView } from "#integrations/event-feed/routes"
import { createWebhookSender } from "#integrations/webhooks/sender"
import { type Clock, systemClock } from "#kit/clock"
import { invariant, StartError } from "#kit/errors"
import { newId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { version, watchMachine } from "#kit/machine"
import { createHostResolver, isLoopback } from "#kit/outside"
import { watchPressure } from "#kit/pressure"
import { createDrain } from "#kit/request-scope"
import type { SecretKeys } from "#kit/secrets"
import { createAdmission } from "#kit/waiting-line"
import type { Mailer } from "#mail/mailer"
import { createOutboxMailer } from "#mail/outbox"
import { ensureSigningKeys, openSigningKeys, type SigningKeys } from "#money/chain/keys"
import { createCheckpointCopy } from "#money/chain/seal"
import { createLedgerChecker } from "#overviews/ledger-checks/check"
import { warnOfLostBanks } from "#overviews/system-status/status"
import { ensureFirstAdmin } from "#people/users/first-admin"
import { userNamer } from "#people/users/user-names"
import { createAccessNotes } from "#platform/audit/access-notes"
import { mostExports } from "#platform/audit/export"
import { type BackupMaker, createBackupMaker } from "#platform/backups/make"
import { createOpeningCounter, ensureMoneyKind } from "#platform/system/node"
import type { NodeIdentity } from "#platform/system/reads"
import { ensureSealingKey } from "#platform/system/sealing-key"
import { connectByName, connectFormer, connectSimulator } from "#psp/connect-psp"
import { moneyKindOf } from "#psp/pix-settings"
import type { Psp } from "#psp/psp"
import { createContactRecorder, createSandboxClock, unmovable, watchPsp } from "#psp/watched-psp"
import { createChargeSteps } from "#selling/charges/open"
import { openPayerTokens } from "#selling/charges/payer-data"
import { createPaymentStatuses } from "#selling/charges/statuses"
import { buildApp } from "./app.ts"
import type { Env } from "./env.ts"
import { type Jobs, startJobs } from "./jobs.ts"
import { openSecretKeys, readSecretsFile } from "./secrets-file.ts"
import { type SharedParts, type Starting, startSharedParts } from "./shared-parts.ts"
import { createShutdown } from "./shutdown.ts"

export interface RunningServer {
  publicUrl: string
  /** Set when a first admin was created; its generated password is stored nowhere. */
  firstAdmin: { email: string; inventedPassword: string | null } | null
  stop(): Promise<void>
}

const siteFolder = fileURLToPath(new URL("../../../web/dist", import.meta.url))
const closeAfterMs = 4_000
/** The wait before the first step of several, which together take up to half of the second that a payer waits gladly. */
const creationDeadlines = { calmMs: 500, pressedMs: 50 }
const creationLimits = { fewest: 8, usual: 64, most: 400, mostWaiting: 5_000, deadlines: creationDeadlines }

/** Starts every part but those that are shared; when one fails, those already started are stopped again. */
export async function startServer(
  env: Env,
  log: Logger,
  signal: AbortSignal,
  shared: SharedParts | null = null,
): Promise<RunningServer> {
  const shutdown = createShutdown(log)
  try {
    return await startParts({ env, log, shutdown, signal }, shared)
  } catch (error) {
    await shutdown.stopAll()
    throw error
  }
}

async function startParts(starting: Starting, shared: SharedParts | null): Promise<RunningServer> {
  const { env, log, shutdown, signal } = starting
  // Checked before anything starts, so that missing variables of the bank are reported at once.
  const bank = connectByName[env.pixProvider]?.(env.pix, log) ?? null
  const formerPsp = connectFormer(env.formerBank, { provider: env.pixProvider, pix: env.pix }, log)
  requireMail(env)
  for (const warning of startWarnings(env)) log.warn(warning)
  const surroundings = await openSurroundings(starting, shared, bank)
  const { port, publicUrl, payersUrl, simulatorUrl, provider, pools, route } = surroundings
  signal.throwIfAborted()
  const { db, reportsDb, jobsDb, lookupDb, deliveriesDb, requestQueue } = pools
  const creations = createAdmission(creationLimits)
  const pressure = watchPressure({ requestQueue, creations, log })
  shutdown.add({ name: "pressure", limitMs: 100, stop: async () => pressure.stop() })
  const clock = systemClock
  const contactNotes = createContactRecorder(clock)
  const psp = watchPsp(provider, contactNotes)
  const guards = await openGuards(env, { db, clock, log })
  const firstAdmin = await ensureFirstAdmin({ db, clock }, { email: env.adminEmail, password: env.adminPassword })
  const { webhookSecret } = await ensurePspConnection({ db, clock }, psp.name)
  const former = await openFormerBank({ db: lookupDb, clock, log }, psp.name, formerPsp)
  const csvExports = createCsvExports({ url: route, max: mostExports, log })
  shutdown.add({ name: "exports", limitMs: 500, stop: () => csvExports.stop() })
  const events = createEvents({ url: route, log })
  shutdown.add({ name: "events", limitMs: 500, stop: () => events.stop() })

  const mailer = await openMailer(env.smtpUrl, { db, clock }, { insistsOnTls: bank !== null })
  shutdown.add({ name: "mail", limitMs: 300, stop: () => mailer.stop() })

  const notes = openNotes({ db, clock, log, route, shutdown, signingKeys: guards.signingKeys })
  const backupMaker = openBackups({ env, log, shutdown }, { url: route, db, clock })
  let jobs: Jobs | undefined
  const lookups = { db: lookupDb, psp, clock, log }
  const inbox = createInboxWorker(lookups)
  const store = webhookStore({ ...lookups, worker: inbox })
  const storeWebhook = (body: Buffer) => store(body).then(contactNotes.webhookReceived)
  const webhook = { provider: psp.name, webhookSecret, storeWebhook }
  const { trustedProxies, metricsToken, otlp } = env
  const sending = openSending({ db: deliveriesDb, clock, log, secretKeys: guards.secretKeys }, simulatorUrl)
  const drain = createDrain(env.drainSeconds)
  const common = { clock, log, psp, publicUrl, backupMaker, ...notes }
  const webhooks = { webhook, formerWebhook: former?.webhook ?? null }
  const wakeJob = (name: JobByHand) => jobs?.wake(name)
  const mayControl = openTo({ networks: env.simulator.openTo, ownHosts: [new URL(publicUrl).hostname] })
  const machine = watchMachine({ ...env, publicUrl, clock })
  const pages = { simulatorUrl, mayControl, payersUrl, siteFolder, machine }
  const reach = { ...webhooks, ...guards, ...sending, ...pages, trustedProxies, metricsToken, otlp, wakeJob }
  const previews = createPreviewPainter({ fontFolder: join(siteFolder, "preview") })
  const verbs = {
    chargeSteps: createChargeSteps(lookupDb, creations),
    paymentStatuses: createPaymentStatuses(lookupDb),
    nameUsers: userNamer(db),
  }
  const load = { events, pressure, drain }
  const app = await buildApp({ ...common, ...reach, ...verbs, ...load, db, reportsDb, previews, csvExports })
  const acceptor = createAcceptor(app)
  shutdown.add({
    name: "http and jobs",
    limitMs: closeAfterMs + 1_500,
    stop: () =>
      Promise.all([closeApp(app, acceptor), jobs?.stop(), inbox.stop(), former?.bank.inbox.stop(), sending.stop()]),
  })
  signal.throwIfAborted()
  await listen(acceptor, env.host, port)
  const webhookUrl = `${reachableUrl(env, port, publicUrl)}${webhookPath(psp.name, webhookSecret)}`
  const own = { inbox, mailer, contactNotes, reconcileReceipts: () => reconcileReceipts(lookups), webhookUrl }
  const toPayers = { payersUrl, payerTokens: guards.payerTokens, formerBank: former?.bank ?? null }
  shutdown.add({ name: "drain", limitMs: env.drainSeconds * 1_000 + 500, stop: drain.begin })
  const here = { db: jobsDb, events, node: thisNode(clock), protection: env.protection }
  jobs = startJobs({ ...common, ...own, ...toPayers, ...sending, ...guards.sealing, ...here })
  return { publicUrl, firstAdmin, stop: shutdown.stopAll }
}

/** They count and note in memory, and write down what is left when they stop. */
function openNotes({ db, clock, log, route, shutdown, signingKeys }: Noting) {
  const openings = createOpeningCounter({ db, clock })
  shutdown.add({ name: "counted openings", limitMs: 300, stop: () => openings.flush() })

  const accessNotes = createAccessNotes({ db, clock })
  shutdown.add({ name: "noted accesses", limitMs: 300, stop: () => accessNotes.flush() })

  const ledgerChecker = createLedgerChecker({ url: route, db, clock, log, signingKeys })
  shutdown.add({ name: "ledger check", limitMs: 500, stop: () => ledgerChecker.stop() })
  return { openings, accessNotes, ledgerChecker }
}

interface Noting extends Pick<Starting, "log" | "shutdown"> {
  db: Pools["db"]
  clock: Clock
  route: DatabaseRoute
  signingKeys: SigningKeys
}

/** The addresses, the bank and the database. */
async function openSurroundings(starting: Starting, shared: SharedParts | null, bank: Psp | null) {
  const { env, log, signal } = starting
  const { port, databaseUrl, simulator } = shared ?? (await startSharedParts(starting))
  const publicUrl = env.publicUrl.replace(/:0$/, `:${port}`)
  const payersUrl = env.payersUrl?.replace(/:0$/, `:${port}`) ?? publicUrl
  signal.throwIfAborted()
  const database = await openDatabase(databaseUrl, starting)
  const provider = bank ?? connectSimulator({ ...env.simulator, ...requireSimulator(simulator) }, log)
  return { port, publicUrl, payersUrl, simulatorUrl: simulator?.url ?? null, provider, ...database }
}

function openBackups(
  { env, log, shutdown }: Omit<Starting, "signal">,
  deps: { url: DatabaseRoute; db: Pools["db"]; clock: Clock },
): BackupMaker {
  const write = (path: string, signal: AbortSignal) => runBackup(env, path, signal)
  const isEncrypted = env.backupKeys !== null
  const maker = createBackupMaker({ ...deps, log, folder: env.backupDir, isEncrypted, write })
  shutdown.add({ name: "backup", limitMs: 500, stop: () => maker.stop() })
  return maker
}

/** Ends the start where this database holds another kind of money, or secrets sealed with another key. */
async function openGuards(env: Env, { log, ...deps }: { db: Pools["db"]; clock: Clock; log: Logger }) {
  await ensureMoneyKind(deps, moneyKindOf(env.pixProvider, env.pix))
  const secretKeys = await openSecretKeys(env)
  await ensureSealingKey({ ...deps, secretKeys })
  await ensureSigningKeys({ ...deps, secretKeys })
  const signingKeys = openSigningKeys({ ...deps, secretKeys })
  const payerTokens = await openPayerTokens({ db: deps.db, protection: env.protection })
  const sealing = { signingKeys, copyCheckpoint: createCheckpointCopy({ ...env.checkpoint, log }) }
  return { protection: env.protection, secretKeys, signingKeys, sealing, payerTokens }
}

/** Sellers' webhooks: in the sandbox they may lead to this machine, and the clock that they are due by may be moved. */
function openSending(
  shared: { db: LookupDb; clock: Clock; log: Logger; secretKeys: SecretKeys },
  simulatorUrl: string | null,
) {
  const { clock } = shared
  const dueClock = simulatorUrl === null ? unmovable(clock) : createSandboxClock(clock, simulatorUrl)
  const outside = { resolve: createHostResolver(), allowsLocal: simulatorUrl !== null }
  const sender = createWebhookSender({ ...shared, dueClock, outside, writeEvent: toEventView })
  return { outside, dueClock, sender, deliveriesDb: shared.db, stop: sender.stop }
}

/** The former bank's webhooks still come in, and its receipts are still booked. */
async function openFormerBank(shared: Omit<InboxDeps, "psp">, present: string, psp: Psp | null) {
  await saveConnected(shared.db, psp === null ? [present] : [present, psp.name])
  await warnOfLostBanks(shared)
  if (psp === null) return null
  const lookups = { ...shared, psp }
  const { webhookSecret } = await ensurePspConnection(shared, psp.name)
  const inbox = createInboxWorker(lookups)
  const storeWebhook = webhookStore({ ...lookups, worker: inbox })
  return {
    webhook: { psp, provider: psp.name, webhookSecret, storeWebhook },
    bank: { psp, inbox, reconcileReceipts: () => reconcileReceipts(lookups) },
  }
}

async function openMailer(
  smtpUrl: string | null,
  outbox: Parameters<typeof createOutboxMailer>[0],
  options: { insistsOnTls: boolean },
): Promise<Mailer> {
  if (smtpUrl === null) return createOutboxMailer(outbox)
  // Loaded only when mail is sent by SMTP, because the library is large.
  const { createSmtpMailer } = await import("#mail/smtp-mailer")
  return createSmtpMailer(smtpUrl, options)
}

function thisNode(clock: Clock): NodeIdentity {
  return { id: newId(), host: hostname(), version, startedAt: clock.now() }
}

async function openDatabase(
  ownerUrl: string,
  { env, log, shutdown }: Starting,
): Promise<{ pools: Pools; route: DatabaseRoute }> {
  const beforeUpgrade = (next: string) => backUpBeforeUpgrade(env, ownerUrl, log, next)
  await migrate({ ownerUrl, log, ...(env.databaseUrl === null && { beforeUpgrade }) })
  const route = await openServingRoute({ ownerUrl, log })
  const pools = openPools({ route, log })
  shutdown.add({ name: "database connections", limitMs: 500, stop: pools.stop })
  return { pools, route }
}

function requireSimulator(simulator: SharedParts["simulator"]): NonNullable<SharedParts["simulator"]> {
  invariant(simulator !== null, "without a bank there is a simulator")
  return simulator
}

async function listen(acceptor: Acceptor, host: string, port: number): Promise<void> {
  try {
    await acceptor.listen({ host, port })
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
async function closeApp(app: FastifyInstance, acceptor: Acceptor): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  const late = setTimeout(() => app.server.closeAllConnections(), closeAfterMs)
  await Promise.all([app.close(), acceptor.close()]).finally(() => {
    clearInterval(idle)
    clearTimeout(late)
  })
}

/** Settings that work, but hardly as meant: no reason not to start, so they go to the log. */
export function startWarnings({
  pixProvider,
  smtpUrl,
  host,
  namesProxies,
  databaseUrl,
  backupDir,
  simulator,
}: Env): string[] {
  return [
    ...(pixProvider !== "simulator" && smtpUrl === null
      ? ["without SMTP_URL no mail leaves, and none is shown either"]
      : []),
    ...(pixProvider !== "simulator" && databaseUrl === null && backupDir === null
      ? ["without BACKUP_DIR nobody makes backups of the embedded database"]
      : []),
    ...(pixProvider === "simulator" && simulator.openTo.length > 0
      ? [`SIMULATOR_OPEN_TO shows the sandbox's mails, whose links set passwords, to ${simulator.openTo.join(", ")}`]
      : []),
    ...(host !== "localhost" && !isLoopback(host) && !namesProxies
      ? [
          `HOST=${host} takes calls from other machines, and without TRUSTED_PROXIES the X-Forwarded-For of none is ` +
            "believed: behind a proxy on another machine all clients look like one; name the proxy in TRUSTED_PROXIES",
        ]
      : []),
  ]
}

/** Strict protection rests on mails: without them no seller confirms an address, and no owner hears of a theft. */
export function requireMail({ pixProvider, protection, smtpUrl }: Env): void {
  if (pixProvider === "simulator" || protection === "relaxed" || smtpUrl !== null) return
  throw new StartError(
    `Variável de ambiente SMTP_URL ausente: com PIX_PROVIDER=${pixProvider} e PROTECTION=strict os e-mails precisam sair.`,
  )
}

type UpgradeEnv = Pick<Env, "dataDir" | "backupKeys" | "secretsKey">

/** The newest ones, in case that an upgrade turns out to be wrong only later. */
const keptFiles = 2

/**
 * An embedded database has nobody who copies it before an upgrade: this file is the way back to the former version. It
 * lies beside the database, which it tells no more than.
 */
export async function backUpBeforeUpgrade(env: UpgradeEnv, ownerUrl: string, log: Logger, next: string): Promise<void> {
  const folder = join(env.dataDir, "before-upgrade")
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // A start that was killed while it copied; only one at a time has the database.
  const left = (await readdir(folder)).filter((name) => name.endsWith(unfinishedEnding))
  for (const name of left) await rm(join(folder, name), { force: true })
  const moment = new Date().toISOString().replaceAll(/[:.]/g, "-")
  const path = join(folder, `${moment}-${next.replace(/\.sql$/, "")}.backup`)
  const secrets = env.backupKeys === null ? null : await readSecretsFile(env)
  await writeBackupFile(path, env.backupKeys, takeBackup({ ownerUrl, log, version, secrets }))
  log.info({ file: path }, "the database was copied before its upgrade")
  const files = (await readdir(folder)).filter((name) => name.endsWith(".backup")).toSorted()
  for (const name of files.slice(0, -keptFiles)) await rm(join(folder, name))
}
