import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import { StartError } from "#kit/start-error"

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
