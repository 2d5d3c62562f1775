import type pg from "pg"
import { StartError } from "#kit/start-error"
import { appRole } from "./app-role.ts"
import { isLoginRefused } from "./database-down.ts"
import type { DatabaseRoute } from "./database-route.ts"
import type { Login } from "./login-role.ts"
import { clientOn } from "./routed-client.ts"

/** The powers of the user that a session logged in as, to which `SET ROLE NONE` leads back. */
interface SessionPowers {
  user: string
  servingRole: string
  isSuperuser: boolean
  canBecomeOwner: boolean
}

export async function ownerOf(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ owner: string }>(
    "SELECT relowner::regrole::text AS owner FROM pg_class WHERE oid = 'server_logins'::regclass",
  )
  return rows[0]?.owner ?? ""
}

/** Asked in a session like those of requests: a pooler may put another user's session behind the address. */
export async function powersIn(session: pg.Client, owner: string): Promise<SessionPowers> {
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
export async function connectServing(route: DatabaseRoute, settings: readonly string[]): Promise<pg.Client> {
  const RoutedClient = clientOn(route, settings)
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

export function checkPowers(powers: SessionPowers, { user }: Login): void {
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
