import { createHash, randomInt } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import type { Logger } from "#kit/log"
import { StartError } from "#kit/start-error"
import { trialLock } from "./advisory-locks.ts"
import { appRole } from "./app-role.ts"
import { connectOwner, messageOf } from "./connect-owner.ts"
import { hasOtherSettings, isDatabaseDown } from "./database-down.ts"
import { addressFor, type DatabaseRoute, openRoute } from "./database-route.ts"
import { type Login, makeRole, rememberLogin, setDefaults } from "./login-role.ts"
import { type PoolName, type PoolRoutes, poolSettings } from "./open-pools.ts"
import { refuseLostStatements } from "./refuse-lost-statements.ts"
import { checkPowers, connectServing, ownerOf, powersIn } from "./session-powers.ts"

/** Two tries of a connection at least, each of which may take five seconds on a busy machine. */
const patienceMs = 12_000

interface Addresses {
  /** PostgreSQL's own, of the tables' owner. */
  ownerUrl: string
  poolerUrl: string
  /** The same database without the pooler. */
  direct: DatabaseRoute
  log: Logger
}

/**
 * Through a pooler, which may give each transaction another session. Nothing is set in those: each pool has a login whose
 * sessions bring its role and settings. Poolers keep a pool for each login, so that there, too, nobody queues behind a
 * caller who can wait longer.
 */
export async function openPooledRoutes({ ownerUrl, poolerUrl, direct, log }: Addresses): Promise<PoolRoutes> {
  const owner = await connectOwner(ownerUrl, log)
  const open = (pool: PoolName) => openPooledRoute({ owner, pool, poolerUrl, direct })
  try {
    const routes = {
      requests: await open("requests"),
      reports: await open("reports"),
      jobs: await open("jobs"),
      lookups: await open("lookups"),
      deliveries: await open("deliveries"),
    }
    // The trial takes sessions from others for a moment, and a report can wait best.
    await refuseLostStatements(routes.reports, poolSettings.reports)
    return routes
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`Não foi possível preparar o banco de dados: ${messageOf(error)}`, { cause: error })
  } finally {
    await owner.end().catch(() => undefined)
  }
}

interface Opening extends Pick<Addresses, "poolerUrl" | "direct"> {
  owner: pg.Client
  pool: PoolName
}

async function openPooledRoute(opening: Opening): Promise<DatabaseRoute> {
  const { owner, pool, poolerUrl, direct } = opening
  const loginSettings = poolSettings[pool]
  const login = await rememberLogin(owner, pool, `_${versionOf(loginSettings)}`)
  const route = openRoute(addressFor(poolerUrl, login), { related: direct, loginSettings })
  const prepare = async (isMade: boolean) => {
    if (!isMade) await makeRole(owner, login)
    await setDefaults(owner, login, loginSettings)
  }
  await prepare(await isThere(owner, login)).catch((error: unknown) => refuseToMake(owner, error))
  try {
    await checkSession(opening, route, login)
  } catch (error) {
    if (error instanceof StartError || hasOtherSettings(error)) throw refusal(login, error)
    // Another password, perhaps: with the one that is remembered it is tried once more.
    await prepare(false).catch((reason: unknown) => refuseToMake(owner, reason))
    await checkSession(opening, route, login).catch((reason: unknown) => {
      throw refusal(login, reason)
    })
  }
  return route
}

/** Sessions of a pooler outlive a change of their login's settings, so other settings are another login's. */
function versionOf(settings: readonly string[]): string {
  return createHash("sha256").update(settings.join("\n")).digest("hex").slice(0, 8)
}

async function isThere(owner: pg.Client, { user }: Login): Promise<boolean> {
  const { rowCount } = await owner.query("SELECT FROM pg_roles WHERE rolname = $1", [user])
  return rowCount !== 0
}

/** Settings are looked at by each new connection. In another database the login has none. */
async function checkSession({ owner, pool }: Opening, route: DatabaseRoute, login: Login): Promise<void> {
  const ownerName = await ownerOf(owner)
  await inSession({ ...route, loginSettings: null }, [], (session) => refuseOtherDatabase(owner, session))
  await inSession(route, poolSettings[pool], async (session) => checkPowers(await powersIn(session, ownerName), login))
}

async function inSession(
  route: DatabaseRoute,
  settings: readonly string[],
  work: (session: pg.Client) => Promise<void>,
): Promise<void> {
  const session = await reach(() => connectServing(route, settings))
  try {
    await work(session)
  } finally {
    await session.end().catch(() => undefined)
  }
}

/** A pooler may still be starting, as PostgreSQL itself; what it answers is not waited out. */
async function reach(connect: () => Promise<pg.Client>): Promise<pg.Client> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      if (error instanceof pg.DatabaseError || hasOtherSettings(error) || !isDatabaseDown(error)) throw error
      if (Date.now() > giveUpAt) {
        const message = `Não foi possível conectar ao pooler (DATABASE_URL): ${messageOf(error)}`
        throw new StartError(message, { cause: error })
      }
      await sleep(500)
    }
  }
}

/** A lock of the owner's is seen on no other server, also not on a copy of this one. */
async function refuseOtherDatabase(owner: pg.Client, session: pg.Client): Promise<void> {
  const part = randomInt(2 ** 31)
  await owner.query("SELECT pg_advisory_lock($1::int, $2::int)", [trialLock, part])
  try {
    const { rowCount } = await session.query(
      `SELECT FROM pg_locks
       WHERE locktype = 'advisory' AND classid = $1::int::oid AND objid = $2::int::oid AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [trialLock, part],
    )
    if (rowCount === 0)
      throw new StartError("DATABASE_URL e DATABASE_DIRECT_URL devem levar ao mesmo banco de dados, e levam a dois.")
  } finally {
    await owner.query("SELECT pg_advisory_unlock($1::int, $2::int)", [trialLock, part])
  }
}

async function refuseToMake(owner: pg.Client, cause: unknown): Promise<never> {
  const { rows } = await owner.query<{ me: string }>("SELECT quote_ident(current_user) AS me")
  const me = rows[0]?.me
  throw new StartError(
    `Com DATABASE_DIRECT_URL cada grupo de conexões tem a sua função no banco de dados, e ${me} não consegue criá-la nem ajustá-la (${messageOf(cause)}). Peça ao administrador do banco que execute: ALTER ROLE ${me} CREATEROLE; GRANT ${appRole} TO ${me} WITH ADMIN OPTION;`,
    { cause },
  )
}

function refusal({ user }: Login, cause: unknown): StartError {
  if (cause instanceof StartError) return cause
  if (hasOtherSettings(cause)) return otherSettings(user, cause)
  return new StartError(
    `O pooler em DATABASE_URL não deixa ${user} entrar (${messageOf(cause)}): ele precisa conhecer essa função (auth_query do PgBouncer), e o pg_hba.conf, deixá-la entrar.`,
    { cause },
  )
}

function otherSettings(user: string, cause: unknown): StartError {
  return new StartError(
    `O pooler em DATABASE_URL dá a ${user} sessões sem os ajustes dessa função (${messageOf(cause)}): tire dele o usuário fixo e os ajustes próprios (user= e connect_query em [databases] do PgBouncer), ou mande-o abrir as conexões de novo (RECONNECT).`,
    { cause },
  )
}
