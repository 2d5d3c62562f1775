import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import type { PostgresPool } from "kysely"
import type { Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import type { Pressure } from "#kit/pressure"
import { hashOfToken, newToken, type SecretKeys } from "#kit/secrets"
import { type SessionUser, sessionLifetime } from "#people/sessions/sessions"
import { hashPassword } from "#people/users/passwords"
import { ensurePushKey } from "#platform/push/keys"
import { connectSimulator } from "#psp/connect-psp"
import type { Psp } from "#psp/psp"
import { openAutomaticBank } from "./automatic-bank.ts"
import { giveBalances } from "./give-balance.ts"
import { insertApiKey } from "./insert-api-key.ts"
import { rewriteSessions, signedSession } from "./rewrite-sessions.ts"
import { secretKeys } from "./secret-keys.ts"
import { openTestApp, sellerForm, type TestApp } from "./test-app.ts"

export const callers = [
  "anonymous",
  "garbage",
  "expired",
  "inactive",
  "owner",
  "rival",
  "admin",
  "key",
  "rival's key",
  "admin's key",
] as const
export type Caller = (typeof callers)[number]

export interface WorldUser {
  id: string
  email: string
  token: string
}

interface Stock {
  users: WorldUser[]
  /** Their sessions are as old. */
  madeAt: Date
  nextCount: number
}

const emptyStock = (): Stock => ({ users: [], madeAt: new Date(0), nextCount: 1 })

function newWorldUser(): WorldUser {
  const id = newId()
  return { id, email: `${id}@loja.example`, token: newToken() }
}

async function insertWorldUsers(
  tx: Tx,
  people: readonly WorldUser[],
  { role, passwordHash, now }: { role: SessionUser["role"]; passwordHash: string; now: Date },
): Promise<void> {
  const { name, cpf, phone, address } = sellerForm
  const alike = { name, cpf, phone, role, address: JSON.stringify(address), password_hash: passwordHash }
  const users = people.map(({ id, email }) => ({ ...alike, id, email, email_key: email, created_at: now }))
  await tx.insertInto("users").values(users).execute()
  const ids = people.map(({ id }) => id)
  await giveBalances(tx, ids, 100_000)
  // Fresh, because the changes of second factors ask everybody.
  const used = { created_at: now, last_used_at: now, stepped_up_at: now }
  const expires_at = secondsAfter(now, sessionLifetime[role].absoluteSeconds)
  const where = { address: "127.0.0.1", last_address: "127.0.0.1", user_agent: "test" }
  const sessions = people.map(({ id, token }) => ({ id: newId(), user_id: id, token_hash: hashOfToken(token) }))
  await tx
    .insertInto("sessions")
    .values(sessions.map((session) => signedSession({ ...session, ...used, ...where, expires_at })))
    .execute()
}

/** The whole app with a bank of its own, and any number of users with money to withdraw. */
export interface EdgeWorld extends TestApp {
  secretKeys: SecretKeys
  psp: Psp
  log: ReturnType<typeof createLog>
  user(role?: SessionUser["role"]): Promise<WorldUser>
  /** The token of a caller of that kind, when the things asked for are the owner's. */
  tokenOf(caller: Caller, owner: WorldUser): Promise<string | undefined>
}

export async function openEdgeWorld({
  log = createLog("silent"),
  ...wishes
}: {
  log?: ReturnType<typeof createLog>
  pressure?: Pressure
  pool?: (url: string) => PostgresPool
  networks?: readonly string[]
} = {}): Promise<EdgeWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-bank-"))
  const bank = await startSimulator({ port: 0, dataDir, clientId: "test", clientSecret: "test" })
  // A provider without dispute reports, so that admins may register disputes.
  const connected = connectSimulator({ ...bank, clientId: "test", clientSecret: "test" }, log)
  const { automatic } = openAutomaticBank(connected.name, () => new Date())
  const psp = { ...connected, disputes: null, automatic }
  const site = await openTestApp({ psp, log, simulatorUrl: bank.url, ...wishes })
  await ensurePushKey({ db: site.db, clock: site.clock, secretKeys })
  const passwordHash = await hashPassword(sellerForm.password)

  const stocks: Record<SessionUser["role"], Stock> = { user: emptyStock(), admin: emptyStock() }

  /** Users are made many at once, ever more for who asks ever again: each alone takes more statements than most tests. */
  async function user(role: SessionUser["role"] = "user"): Promise<WorldUser> {
    const now = site.clock.now()
    const stock = stocks[role]
    if (stock.madeAt < now) stock.users = []
    const known = stock.users.shift()
    if (known !== undefined) return known
    stock.nextCount = Math.min(2 * stock.nextCount, 32)
    const people = Array.from({ length: stock.nextCount }, () => newWorldUser())
    await site.db.transaction().execute((tx) => insertWorldUsers(tx, people, { role, passwordHash, now }))
    const [first = newWorldUser(), ...others] = people
    stock.users.push(...others)
    stock.madeAt = now
    return first
  }

  async function tokenOf(caller: Caller, owner: WorldUser): Promise<string | undefined> {
    if (caller === "anonymous") return undefined
    if (caller === "garbage") return "x".repeat(43)
    if (caller === "owner") return owner.token
    if (caller === "key") return (await insertApiKey(site.db, owner.id)).key
    const { id, token } = await user(caller.startsWith("admin") ? "admin" : "user")
    if (caller.endsWith("key")) return (await insertApiKey(site.db, id)).key
    if (caller === "expired") await rewriteSessions(site.db, { token }, { expires_at: site.clock.now() })
    const account = site.db.updateTable("users").set({ active: false }).where("id", "=", id)
    if (caller === "inactive") await account.execute()
    return token
  }

  async function close(): Promise<void> {
    await site.close()
    await bank.stop()
    await rm(dataDir, { recursive: true, force: true })
  }

  return { ...site, secretKeys, psp, log, user, tokenOf, close }
}
