import type pg from "pg"
import type { Logger } from "#kit/log"
import { StartError } from "#kit/start-error"
import { appRole } from "./app-role.ts"
import { connectOwner, messageOf } from "./connect-owner.ts"
import { isLoginRefused } from "./database-down.ts"
import { addressFor, type DatabaseRoute, openRoute } from "./database-route.ts"
import { type Login, makeRole, rememberLogin } from "./login-role.ts"
import { clientOn } from "./routed-client.ts"

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
