import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openTo } from "@tilinta/simulator/open-to"
import { runBackup } from "#commands/run-backup"
import { addressesOf } from "#db/route"
import type { Db } from "#db/transaction"
import { createPreviewPainter } from "#http/previews/preview-painter"
import { eventWriter } from "#integrations/event-feed/routes"
import { createWebhookSender } from "#integrations/webhooks/sender"
import type { Clock } from "#kit/clock"
import { watchMachine } from "#kit/machine"
import { createHostResolver } from "#kit/outside"
import { watchPressure } from "#kit/pressure"
import { createDrain } from "#kit/request-scope"
import { createAdmission } from "#kit/waiting-line"
import type { Mailer } from "#mail/mailer"
import { createOutboxMailer } from "#mail/outbox"
import { createCheckpointCopy } from "#money/chain/copy"
import { ensureSigningKeys, openSigningKeys } from "#money/chain/keys"
import { createLedgerChecker } from "#overviews/ledger-checks/check"
import { userNamer } from "#people/users/user-names"
import { createAccessNotes } from "#platform/audit/access-notes"
import { createBackupMaker } from "#platform/backups/make"
import { holdOrderKeys } from "#platform/order-macs/macs"
import { ensurePushKey } from "#platform/push/keys"
import { createOpeningCounter, ensureMoneyKind } from "#platform/system/node"
import { openSandboxClocks, unmovable } from "#platform/system/sandbox-clock"
import { ensureSealingKey } from "#platform/system/sealing-key"
import { moneyKindOf } from "#psp/pix-settings"
import { simulatorAhead } from "#psp/watched-psp"
import { createChargeSteps } from "#selling/charges/open"
import { openPayerTokens } from "#selling/charges/payer-data"
import { createPaymentStatuses } from "#selling/charges/statuses"
import type { Books, Guards, Load, Lookups, Parts, Sending, Site, Storage } from "./deps.ts"
import { type Env, isOnThisMachine } from "./env.ts"
import { openSecretKeys } from "./secrets-file.ts"
import type { SharedParts, Starting } from "./shared-parts.ts"
import { backupPlanOf } from "./start-warnings.ts"

const siteFolder = fileURLToPath(new URL("../../../web/dist", import.meta.url))

export function openSite(env: Env, { port, simulator }: SharedParts): Site {
  const publicUrl = env.publicUrl.replace(/:0$/, `:${port}`)
  return {
    port,
    publicUrl,
    payersUrl: env.payersUrl?.replace(/:0$/, `:${port}`) ?? publicUrl,
    siteFolder,
    previews: createPreviewPainter({ fontFolder: join(siteFolder, "preview") }),
    simulatorUrl: simulator?.url ?? null,
    mayControl: openTo({ networks: env.simulator.openTo, ownHosts: [new URL(publicUrl).hostname] }),
  }
}

/** The wait before the first step of several, which together take up to half of the second that a payer waits gladly. */
const creationDeadlines = { calmMs: 500, pressedMs: 50 }
const creationLimits = { fewest: 8, usual: 64, most: 400, mostWaiting: 5_000, deadlines: creationDeadlines }

export function openLoad({ env, log, clock, shutdown }: Starting, storage: Storage, { publicUrl }: Site): Load {
  const creations = createAdmission(creationLimits)
  const pressure = watchPressure({ requestQueue: storage.pools.requestQueue, creations, log })
  shutdown.add({ name: "pressure", limitMs: 100, stop: async () => pressure.stop() })
  const { dataDir, databaseUrl } = env
  return {
    creations,
    pressure,
    drain: createDrain(env.drainSeconds),
    machine: watchMachine({ dataDir, databaseUrl, publicUrl, clock }),
  }
}

/** Ends the start where this database holds another kind of money, or secrets sealed with another key. */
export async function openGuards({ env, clock, log }: Starting, storage: Storage): Promise<Guards> {
  const { db } = storage.pools
  const { protection } = env
  await ensureMoneyKind({ db, clock }, moneyKindOf(env.pixProvider, env.pix))
  const secretKeys = await openSecretKeys(env)
  await ensureSealingKey({ db, clock, secretKeys })
  holdOrderKeys({ secretKeys, log })
  await ensureSigningKeys({ db, clock, secretKeys })
  await ensurePushKey({ db, clock, secretKeys })
  return {
    protection,
    secretKeys,
    signingKeys: openSigningKeys({ db, clock, secretKeys }),
    payerTokens: await openPayerTokens({ db, protection }),
  }
}

export async function openMailer({ env, clock, shutdown }: Starting, storage: Storage): Promise<Mailer> {
  const mailer = await createMailer(env, { db: storage.pools.db, clock })
  shutdown.add({ name: "mail", limitMs: 300, stop: () => mailer.stop() })
  return mailer
}

async function createMailer(
  { smtpUrl, pixProvider }: Env,
  outbox: Parameters<typeof createOutboxMailer>[0],
): Promise<Mailer> {
  if (smtpUrl === null) return createOutboxMailer(outbox)
  // Loaded only when mail is sent by SMTP, because the library is large.
  const { createSmtpMailer } = await import("#mail/smtp-mailer")
  return createSmtpMailer(smtpUrl, { insistsOnTls: pixProvider !== "simulator" })
}

/** The counters keep in memory what they write down when they stop. */
export function openBooks(
  { env, log, clock, shutdown }: Starting,
  { pools: { db }, route }: Storage,
  { signingKeys }: Guards,
): Books {
  const openings = createOpeningCounter({ db, clock })
  shutdown.add({ name: "counted openings", limitMs: 300, stop: () => openings.flush() })

  const accessNotes = createAccessNotes({ db, clock })
  shutdown.add({ name: "noted accesses", limitMs: 300, stop: () => accessNotes.flush() })

  const ledgerChecker = createLedgerChecker({ url: route, db, clock, log, signingKeys })
  shutdown.add({ name: "ledger check", limitMs: 500, stop: () => ledgerChecker.stop() })

  const backupMaker = createBackupMaker({
    url: route,
    db,
    clock,
    log,
    plan: backupPlanOf(env),
    write: (path, signal) => runBackup(env, path, signal),
  })
  shutdown.add({ name: "backup", limitMs: 500, stop: () => backupMaker.stop() })

  const checkpointCopy = createCheckpointCopy({ ...env.checkpoint, log })
  return { openings, accessNotes, ledgerChecker, backupMaker, checkpointCopy }
}

const usualPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443, "smtp:": 587, "smtps:": 465 }

/** Those of this machine on which the server and what it uses listen: a webhook is no way to any of them. */
export function ownPortsOf(
  { smtpUrl, otlp, checkpoint }: Pick<Env, "smtpUrl" | "otlp" | "checkpoint">,
  { port, databaseUrl, simulator }: Pick<SharedParts, "port" | "databaseUrl" | "simulator">,
): number[] {
  const used = [...addressesOf(databaseUrl), simulator?.url, smtpUrl, otlp?.url, checkpoint.url]
  const ports = used.flatMap((url) => {
    if (url === null || url === undefined || !isOnThisMachine(url)) return []
    const { port: named, protocol, searchParams } = new URL(url)
    return [Number(named || searchParams.get("port") || (usualPorts[protocol] ?? 5432))]
  })
  return [port, ...ports]
}

/** The sandbox's days may be moved. */
export async function openClocks({ clock, db, simulatorUrl }: { clock: Clock; db: Db; simulatorUrl: string | null }) {
  if (simulatorUrl === null) return { clock, dueClock: unmovable(clock) }
  return openSandboxClocks({ db, clock, readBankAhead: simulatorAhead(simulatorUrl, clock) })
}

/**
 * In the sandbox webhooks may lead to this machine. The sender is stopped together with the routes and jobs, which wait
 * for each other.
 */
export function openSending(
  { env, log, clock }: Starting,
  { storage, guards, site, dueClock }: Pick<Parts, "storage" | "guards" | "site"> & Pick<Sending, "dueClock">,
  shared: Pick<SharedParts, "port" | "databaseUrl" | "simulator">,
): Sending {
  const { simulatorUrl, payersUrl } = site
  const outside = {
    resolve: createHostResolver(),
    allowsLocal: simulatorUrl !== null,
    ownPorts: ownPortsOf(env, shared),
  }
  const sender = createWebhookSender({
    db: storage.pools.deliveriesDb,
    clock,
    dueClock,
    log,
    secretKeys: guards.secretKeys,
    outside,
    writeEvent: eventWriter(payersUrl),
  })
  return { outside, dueClock, sender }
}

export function openLookups({ pools }: Storage, { creations }: Load): Lookups {
  return {
    chargeSteps: createChargeSteps(pools.lookupDb, creations),
    paymentStatuses: createPaymentStatuses(pools.lookupDb),
    nameUsers: userNamer(pools.db),
  }
}
