import type { FastifyInstance } from "fastify"
import { type Acceptor, createAcceptor } from "#http/accept-connections"
import { systemClock } from "#kit/clock"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { ensureFirstAdmin } from "#people/users/first-admin"
import { buildApp } from "./app.ts"
import { connectProviders, openBank } from "./bank.ts"
import { httpDeps, type Parts } from "./deps.ts"
import type { Env } from "./env.ts"
import { type Jobs, startJobs } from "./jobs.ts"
import { openBooks, openClocks, openGuards, openLoad, openLookups, openMailer, openSending, openSite } from "./parts.ts"
import { type SharedParts, type Starting, startSharedParts } from "./shared-parts.ts"
import { createShutdown } from "./shutdown.ts"
import { requireMail, startWarnings } from "./start-warnings.ts"
import { openStorage } from "./storage.ts"

export interface RunningServer {
  publicUrl: string
  /** Set when a first admin was created; its generated password is stored nowhere. */
  firstAdmin: { email: string; inventedPassword: string | null } | null
  stop(): Promise<void>
}

const closeAfterMs = 4_000

/** Starts every part but those that are shared; when one fails, those already started are stopped again. */
export async function startServer(
  env: Env,
  log: Logger,
  signal: AbortSignal,
  shared: SharedParts | null = null,
): Promise<RunningServer> {
  const shutdown = createShutdown(log)
  try {
    return await startParts({ env, log, clock: systemClock, shutdown, signal }, shared)
  } catch (error) {
    await shutdown.stopAll()
    throw error
  }
}

/** Each part registers how it stops; the newest stops first. */
async function startParts(starting: Starting, given: SharedParts | null): Promise<RunningServer> {
  const { env, log, clock, shutdown, signal } = starting
  // Checked before anything starts, so that missing variables of the bank are reported at once.
  const providers = connectProviders(env, log)
  requireMail(env)
  for (const warning of startWarnings(env)) log.warn(warning)

  const shared = given ?? (await startSharedParts(starting))
  const site = openSite(env, shared)
  signal.throwIfAborted()
  const storage = await openStorage(starting, shared.databaseUrl)
  signal.throwIfAborted()
  const load = openLoad(starting, storage, site)
  const guards = await openGuards(starting, storage)
  const admin = { email: env.adminEmail, password: env.adminPassword }
  const firstAdmin = await ensureFirstAdmin({ db: storage.pools.db, clock }, admin)
  const bank = await openBank(starting, { storage, site }, providers, shared.simulator)
  const mailer = await openMailer(starting, storage)
  const books = openBooks(starting, storage, guards)
  const clocks = await openClocks({ clock, db: storage.pools.jobsDb, simulatorUrl: site.simulatorUrl })
  const sending = openSending(starting, { storage, guards, site, dueClock: clocks.dueClock }, shared)
  const lookups = openLookups(storage, load)
  const parts: Parts = {
    env,
    log,
    clock: clocks.clock,
    site,
    storage,
    load,
    guards,
    bank,
    mailer,
    books,
    sending,
    lookups,
  }

  let jobs: Jobs | undefined
  const app = await buildApp(
    httpDeps(parts, { wake: (name) => jobs?.wake(name), isRunning: (name) => jobs?.isRunning(name) ?? false }),
  )
  const acceptor = createAcceptor(app)
  const stop = () => Promise.all([closeApp(app, acceptor), jobs?.stop(), bank.stop(), sending.sender.stop()])
  shutdown.add({ name: "http and jobs", limitMs: closeAfterMs + 1_500, stop })
  signal.throwIfAborted()
  await listen(acceptor, env.host, site.port)
  shutdown.add({ name: "drain", limitMs: env.drainSeconds * 1_000 + 500, stop: load.drain.begin })
  jobs = startJobs(parts)
  return { publicUrl: site.publicUrl, firstAdmin, stop: shutdown.stopAll }
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

/** Finishes requests under way, and closes connections that are idle or take too long. */
async function closeApp(app: FastifyInstance, acceptor: Acceptor): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  const late = setTimeout(() => app.server.closeAllConnections(), closeAfterMs)
  await Promise.all([app.close(), acceptor.close()]).finally(() => {
    clearInterval(idle)
    clearTimeout(late)
  })
}
