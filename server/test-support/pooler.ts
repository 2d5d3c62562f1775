import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { pickFreePort } from "#db/postmaster"

interface Pooler {
  /** The same database, user and password as behind it. */
  url: string
  stop(): Promise<void>
}

const readyWithinMs = 60_000

/** PgBouncer in session mode, as deploy/cluster/README.md describes it, before the PostgreSQL of a test run. The program must be installed. */
export async function startPooler(url: string): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-pooler-"))
  const port = await pickFreePort()
  const { hostname, port: behind, username, password } = new URL(url)
  const users = join(folder, "users")
  const settings = join(folder, "pgbouncer.ini")
  await writeFile(users, `"${username}" "${password}"\n`)
  await writeFile(settings, settingsOf({ folder, port, users, username, to: { hostname, port: behind } }))
  // PgBouncer refuses to run as root, so the account that it takes must be able to read and write here.
  await Promise.all([chmod(users, 0o644), chmod(settings, 0o644), chmod(folder, 0o777)])
  const account = process.getuid?.() === 0 ? ["--user=nobody"] : []
  const child = spawn("pgbouncer", ["--quiet", ...account, settings], { stdio: ["ignore", "inherit", "inherit"] })
  const exited = once(child, "exit")
  const pooled = Object.assign(new URL(url), { port: String(port) }).toString()
  await Promise.race([
    untilReady(pooled),
    exited.then(() => Promise.reject(new Error(`PgBouncer ended with ${child.exitCode}`))),
  ])
  return {
    url: pooled,
    async stop() {
      // Since 1.23 SIGTERM waits for clients.
      child.kill("SIGQUIT")
      await exited
    },
  }
}

interface Wishes {
  folder: string
  port: number
  users: string
  username: string
  to: { hostname: string; port: string }
}

/** The database of a test is dropped while the pooler may still hold idle sessions of it, so they end soon. */
function settingsOf({ folder, port, users, username, to }: Wishes): string {
  const lines = {
    pool_mode: "session",
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: users,
    auth_user: username,
    default_pool_size: 100,
    max_client_conn: 1_000,
    server_idle_timeout: 1,
    server_login_retry: 1,
    // Clients of a role that PostgreSQL lets no longer in wait for so long.
    query_wait_timeout: 10,
    // The watchdog of a test run ends what stands in a file of this name.
    pidfile: join(folder, "postmaster.pid"),
  }
  const written = Object.entries(lines).map(([name, value]) => `${name} = ${value}`)
  return ["[databases]", `* = host=${to.hostname} port=${to.port}`, "[pgbouncer]", ...written, ""].join("\n")
}

async function untilReady(url: string): Promise<void> {
  const giveUpAt = Date.now() + readyWithinMs
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on("error", () => undefined)
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
      await sleep(100)
    }
  }
}
