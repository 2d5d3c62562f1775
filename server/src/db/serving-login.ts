import type pg from "pg"
import type { Logger } from "#kit/log"
import { StartError } from "#kit/start-error"
import { appRole } from "./app-role.ts"
import { connectOwner, messageOf } from "./connect-owner.ts"
import { addressFor, type DatabaseRoute, openRoute } from "./database-route.ts"
import { makeRole, rememberLogin } from "./login-role.ts"
import { checkPowers, connectServing, ownerOf, powersIn } from "./session-powers.ts"

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
  const login = await rememberLogin(owner, "server")
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

async function powersOn(route: DatabaseRoute, owner: pg.Client): ReturnType<typeof powersIn> {
  const session = await connectServing(route, [`role=${appRole}`])
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
