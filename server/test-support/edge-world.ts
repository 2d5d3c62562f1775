import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import type { PostgresPool } from "kysely"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import type { Pressure } from "#kit/pressure"
import { hashOfToken, type SecretKeys } from "#kit/secrets"
import { openSession, type SessionUser } from "#people/sessions/sessions"
import { hashPassword } from "#people/users/passwords"
import { connectSimulator } from "#psp/connect-psp"
import type { Psp } from "#psp/psp"
import { giveBalance } from "./give-balance.ts"
import { insertApiKey } from "./insert-api-key.ts"
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

const origin = { address: "127.0.0.1", userAgent: "test" }

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
  const psp = { ...connectSimulator({ ...bank, clientId: "test", clientSecret: "test" }, log), disputes: null }
  const site = await openTestApp({ psp, log, simulatorUrl: bank.url, ...wishes })
  const passwordHash = await hashPassword(sellerForm.password)

  async function user(role: SessionUser["role"] = "user"): Promise<WorldUser> {
    const id = newId()
    const email = `${id}@loja.example`
    const { name, cpf, phone, address } = sellerForm
    const row = { id, name, email, email_key: email, password_hash: passwordHash, cpf, phone, role }
    await site.db
      .insertInto("users")
      .values({ ...row, address: JSON.stringify(address), created_at: site.clock.now() })
      .execute()
    await giveBalance(site.db, id, 100_000)
    const token = await site.db.transaction().execute((tx) => openSession(tx, { id, role }, origin, site.clock.now()))
    // Fresh, because the changes of second factors ask everybody.
    const fresh = site.db.updateTable("sessions").set({ stepped_up_at: site.clock.now() })
    await fresh.where("user_id", "=", id).execute()
    return { id, email, token }
  }

  async function tokenOf(caller: Caller, owner: WorldUser): Promise<string | undefined> {
    if (caller === "anonymous") return undefined
    if (caller === "garbage") return "x".repeat(43)
    if (caller === "owner") return owner.token
    if (caller === "key") return (await insertApiKey(site.db, owner.id)).key
    const { id, token } = await user(caller.startsWith("admin") ? "admin" : "user")
    if (caller.endsWith("key")) return (await insertApiKey(site.db, id)).key
    const ended = { expires_at: site.clock.now() }
    const session = site.db.updateTable("sessions").set(ended).where("token_hash", "=", hashOfToken(token))
    if (caller === "expired") await session.execute()
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
