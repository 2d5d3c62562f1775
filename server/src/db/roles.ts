import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { isLoginRefused } from "./database-down.ts"
import { addressFor, clientOn, connectOwner, type DatabaseRoute, messageOf, openRoute } from "./route.ts"

interface Login {
  user: string
  password: string
}

/** Named after the database, because roles belong to the whole PostgreSQL server; all nodes share its password. */
async function rememberLogin(owner: pg.Client): Promise<Login> {
  const { rows } = await owner.query<{ oid: number }>(
    "SELECT oid::int8::text AS oid FROM pg_database WHERE datname = current_database()",
  )
  const user = `tilinta_server_${rows[0]?.oid}`
  await owner.query("INSERT INTO server_logins (role_name, password) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    user,
    randomBytes(24).toString("hex"),
  ])
  const { rows: logins } = await owner.query<{ password: string }>(
    "SELECT password FROM server_logins WHERE role_name = $1",
    [user],
  )
  return { user, password: logins[0]?.password ?? "" }
}

/** NOINHERIT: a session has no rights but while it takes the serving role. */
async function makeRole(owner: pg.Client, { user, password }: Login): Promise<void> {
  const attributes = `LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${scramVerifier(password)}'`
  await retryRaces(async () => {
    const { rowCount } = await owner.query("SELECT FROM pg_roles WHERE rolname = $1", [user])
    // Only a superuser may repeat NOSUPERUSER.
    if (rowCount === 0) await owner.query(`CREATE ROLE ${user} ${attributes}`)
    else await owner.query(`ALTER ROLE ${user} LOGIN NOINHERIT PASSWORD '${scramVerifier(password)}'`)
    await owner.query(`GRANT ${appRole} TO ${user}`)
  })
}

async function retryRaces(change: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await change()
      return
    } catch (error) {
      if (!isRace(error) || attempt === 20) throw error
      await sleep(25)
    }
  }
}

/** The server keeps and logs this instead of the password. */
function scramVerifier(password: string): string {
  const [salt, rounds] = [randomBytes(16), 4_096]
  const salted = pbkdf2Sync(password, salt, rounds, 32, "sha256")
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest()
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64")
  return `SCRAM-SHA-256$${rounds}:${salt.toString("base64")}$${stored}:${keyOf("Server Key").toString("base64")}`
}

function isRace(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === "string" && raceCodes.has(code)
}

/** The role that serves requests; the schema grants it its rights table by table. */
export const appRole = "tilinta_app"

const insufficientPrivilege = "42501"

/** Duplicate role, or two sessions that changed the same row of the cluster-wide role catalogs. */
const raceCodes = new Set(["42710", "23505", "XX000"])

/** Roles belong to the whole cluster, where another database's server may create them at the same time. */
export async function ensureAppRole(session: pg.Client): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      if (!(await roleExists(session))) await session.query(`CREATE ROLE ${appRole} NOLOGIN`)
      if (await canBecomeAppRole(session)) return
      await session.query(`GRANT ${appRole} TO CURRENT_USER`)
    } catch (error) {
      const { code } = error as pg.DatabaseError
      if (code === insufficientPrivilege) throw await askAdministrator(session, error)
      if (code === undefined || !raceCodes.has(code)) throw error
      await sleep(25)
    }
  }
  throw await askAdministrator(session, null)
}

/** Refuses what `ensureAppRole` would refuse, and changes nothing. */
export async function requireAppRole(session: pg.Client): Promise<void> {
  const exists = await roleExists(session)
  if (exists && (await canBecomeAppRole(session))) return
  const refusal = await refusalOf(session, [
    ...(exists ? [] : [`CREATE ROLE ${appRole} NOLOGIN`]),
    `GRANT ${appRole} TO CURRENT_USER`,
  ])
  if (refusal !== null) throw await askAdministrator(session, refusal)
}

/** Roles are made and unmade by transactions, too. */
async function refusalOf(session: pg.Client, statements: string[]): Promise<unknown> {
  try {
    await session.query(["BEGIN", ...statements].join("; "))
    return null
  } catch (error) {
    if ((error as pg.DatabaseError).code !== insufficientPrivilege) throw error
    return error
  } finally {
    await session.query("ROLLBACK")
  }
}

async function roleExists(session: pg.Client): Promise<boolean> {
  const { rowCount } = await session.query("SELECT FROM pg_roles WHERE rolname = $1", [appRole])
  return rowCount !== 0
}

async function canBecomeAppRole(session: pg.Client): Promise<boolean> {
  try {
    await session.query(`SET ROLE ${appRole}`)
    await session.query("RESET ROLE")
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code === insufficientPrivilege) return false
    throw error
  }
}

async function askAdministrator(session: pg.Client, cause: unknown): Promise<StartError> {
  const create = (await roleExists(session)) ? "" : `CREATE ROLE ${appRole} NOLOGIN; `
  const { rows } = await session.query<{ me: string }>("SELECT quote_ident(current_user) AS me")
  const message = `O usuário de DATABASE_URL não pode criar a função ${appRole}. Peça ao administrador do banco que execute: ${create}GRANT ${appRole} TO ${rows[0]?.me};`
  return new StartError(message, { cause })
}

/**
 * The route of everything but migrations. Sessions log in as a role of their own, which can't become the owner. Where it
 * can't be made or can't log in, they log in as the owner and only take the serving role, unless that is a superuser.
 */
export async function openServingRoute({ ownerUrl, log }: { ownerUrl: string; log: Logger }): Promise<DatabaseRoute> {
  const owner = await connectOwner(ownerUrl, log)
  try {
    const problem = await tryOwnLogin(owner, ownerUrl)
    if (problem.route !== null) return problem.route
    const route = openRoute(ownerUrl)
    const powers = await powersOn(route, owner)
    if (powers.isSuperuser) throw superuserRefused(powers.user, problem)
    const advice = `ALTER ROLE ${powers.user} CREATEROLE; GRANT ${appRole} TO ${powers.user} WITH ADMIN OPTION`
    log.warn({ reason: problem.reason, advice }, "requests log in as the database's owner: a login of their own failed")
    return route
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`Não foi possível preparar o banco de dados: ${messageOf(error)}`, { cause: error })
  } finally {
    await owner.end().catch(() => undefined)
  }
}

type Attempt = { route: DatabaseRoute } | { route: null; reason: string; user: string }

async function tryOwnLogin(owner: pg.Client, ownerUrl: string): Promise<Attempt> {
  const login = await rememberLogin(owner)
  const route = openRoute(addressFor(ownerUrl, login))
  const attempt = async () => checkPowers(await powersOn(route, owner), login)
  try {
    await attempt()
  } catch (error) {
    if (error instanceof StartError) throw error
    // PostgreSQL and poolers say in many ways that the role is missing, has another password or may not do enough.
    try {
      await makeRole(owner, login)
      await attempt()
    } catch (reason) {
      if (reason instanceof StartError) throw reason
      return { route: null, reason: messageOf(reason), user: login.user }
    }
  }
  return { route }
}

async function powersOn(route: DatabaseRoute, owner: pg.Client): Promise<SessionPowers> {
  const session = await connectServing(route)
  try {
    return await powersIn(session, await ownerOf(owner))
  } finally {
    await session.end().catch(() => undefined)
  }
}

function superuserRefused(owner: string, { user, reason }: Exclude<Attempt, { route: DatabaseRoute }>): StartError {
  return new StartError(
    `Os pedidos não podem entrar no banco como ${owner}, que é superusuário, e ${user} não consegue entrar (${reason}): permita ${user} no pg_hba.conf ou no PgBouncer (auth_query), ou use em DATABASE_URL um usuário que não seja superusuário.`,
  )
}

/** The powers of the user that a session logged in as, to which `SET ROLE NONE` leads back. */
interface SessionPowers {
  user: string
  servingRole: string
  isSuperuser: boolean
  canBecomeOwner: boolean
}

async function ownerOf(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ owner: string }>(
    "SELECT relowner::regrole::text AS owner FROM pg_class WHERE oid = 'server_logins'::regclass",
  )
  return rows[0]?.owner ?? ""
}

/** Asked in a session like those of requests: a pooler may put another user's session behind the address. */
async function powersIn(session: pg.Client, owner: string): Promise<SessionPowers> {
  const { rows } = await session.query<SessionPowers>(
    `SELECT session_user::text AS user, current_user::text AS "servingRole", rolsuper AS "isSuperuser",
       pg_has_role(session_user, $1::regrole, 'MEMBER') AS "canBecomeOwner"
     FROM pg_roles WHERE rolname = session_user`,
    [owner],
  )
  const [powers] = rows
  if (powers === undefined) throw new Error("the session has no user")
  return powers
}

/** Tries each host once. */
async function connectServing(route: DatabaseRoute): Promise<pg.Client> {
  const RoutedClient = clientOn(route, [`role=${appRole}`])
  for (let host = 1; ; host += 1) {
    const session = new RoutedClient({ application_name: "tilinta-migrate", connectionTimeoutMillis: 5_000 })
    session.on("error", () => undefined)
    try {
      await session.connect()
      return session
    } catch (error) {
      if (host >= route.hosts || isLoginRefused(error)) throw error
    }
  }
}

function checkPowers(powers: SessionPowers, { user }: Login): void {
  const { isSuperuser, canBecomeOwner, servingRole } = powers
  if (powers.user === user && servingRole === appRole && !isSuperuser && !canBecomeOwner) return
  const found = isSuperuser
    ? "é superusuário"
    : canBecomeOwner
      ? "pode tornar-se o dono das tabelas"
      : "é outro usuário"
  throw new StartError(
    `O banco de dados em DATABASE_URL dá aos pedidos a sessão de ${powers.user}, que ${found}: eles devem entrar como ${user}, sem poderes. Tire do pooler o usuário fixo (user= em [databases] do PgBouncer), ou da função ${user} o que não é ${appRole}.`,
  )
}
