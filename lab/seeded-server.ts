import { mkdir } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { connectEmbedded } from "../server/src/db/embedded-postgres.ts"
import { migrate } from "../server/src/db/migrate.ts"
import { createPool } from "../server/src/db/pools.ts"
import { newId } from "../server/src/kit/ids.ts"
import { createLog } from "../server/src/kit/log.ts"
import { hashOfToken, newToken } from "../server/src/kit/secrets.ts"
import { openSecretKeys } from "../server/src/start/secrets-file.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./crash-tests/server-process.ts"
import { signSessions } from "./kit/sign-sessions.ts"
import { seedHistory } from "./seed/seed-history.ts"
import { adminEmail, bigSellerEmail } from "./seed/seed-people.ts"

interface Login {
  id: string
  token: string
}

/** The product as an operator starts it, in a process of its own, on a seeded database. */
export interface SeededServer {
  process: ServerProcess
  databaseUrl: string
  charges: number
  bigSeller: Login
  admin: Login
}

const log = createLog("error")

/** Verifying seller by seller takes minutes; for longer histories only the sums are compared. */
const verifiedUpTo = 1_000_000

/** With BENCH_DIR the seeded databases are kept there, for the next run. */
export async function withSeededServers(
  sizes: readonly number[],
  work: (servers: SeededServer[]) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const workshop = await openWorkshop()
  const servers: SeededServer[] = []
  try {
    for (const charges of sizes) servers.push(await startSeeded(workshop, charges, env))
    await work(servers)
  } finally {
    for (const server of servers) server.process.kill("SIGTERM")
    await Promise.all(servers.map((server) => server.process.exited))
    await workshop.close()
  }
}

async function startSeeded(workshop: Workshop, charges: number, env: Record<string, string>): Promise<SeededServer> {
  const dataDir = await folderFor(workshop, charges)
  await ensureSeeded(dataDir, charges)
  if (charges <= verifiedUpTo) await verify(workshop, dataDir)
  const process = await workshop.startServer({ dataDir, env })
  const { url: databaseUrl } = await connectEmbedded({ dataDir, log })
  const [bigSeller, admin] = await openSessions(databaseUrl, dataDir)
  return { process, databaseUrl, charges, bigSeller, admin }
}

export async function folderFor(workshop: Workshop, charges: number): Promise<string> {
  const { BENCH_DIR } = process.env
  if (BENCH_DIR === undefined) return workshop.newFolder()
  const folder = join(BENCH_DIR, String(charges))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

async function verify(workshop: Workshop, dataDir: string): Promise<void> {
  const { code, output } = await workshop.verify({ dataDir })
  if (code !== 0) throw new Error(`the seeded books don't balance: ${output.trim()}`)
}

const bulkSettings = [
  ["wal_level", "minimal"],
  ["max_wal_senders", "0"],
  ["autovacuum", "off"],
] as const

/** Seeding runs without durability, because it can be repeated; the measured server is durable as usual. */
export async function ensureSeeded(dataDir: string, charges: number): Promise<void> {
  const configured = await connectEmbedded({ dataDir, log, isDurable: false })
  await migrate({ ownerUrl: configured.url, log })
  const isDone = await isSeeded(configured.url)
  if (!isDone)
    await configure(
      configured.url,
      bulkSettings.map(([name, value]) => `set ${name} = ${value}`),
    )
  await configured.stop()
  if (isDone) return

  const begin = performance.now()
  const loading = await connectEmbedded({ dataDir, log, isDurable: false })
  await seedHistory(loading.url, charges)
  await configure(
    loading.url,
    bulkSettings.map(([name]) => `reset ${name}`),
  )
  await loading.stop()
  console.log(`${charges} transactions seeded in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
}

async function configure(url: string, changes: readonly string[]): Promise<void> {
  await withPool(url, async (pool) => {
    const session = await pool.connect()
    await session.query("set role none")
    for (const change of changes) await session.query(`alter system ${change}`)
    session.release(true)
  })
}

async function isSeeded(url: string): Promise<boolean> {
  return withPool(url, async (pool) => {
    const { rowCount } = await pool.query("select from users where email_key = $1", [adminEmail])
    return rowCount === 1
  })
}

async function openSessions(url: string, dataDir: string): Promise<[bigSeller: Login, admin: Login]> {
  return withPool(url, async (pool) => {
    const open = async (email: string) => {
      const token = newToken()
      const { rows } = await pool.query<{ user_id: string }>(
        `insert into sessions (id, token_hash, user_id, expires_at, mac)
         select $1, $2, id, now() + interval '20 hours', '' from users where email_key = $3 returning user_id`,
        [newId(), hashOfToken(token), email],
      )
      return { id: rows[0]?.user_id ?? "", token }
    }
    const logins: [Login, Login] = [await open(bigSellerEmail), await open(adminEmail)]
    const keys = await openSecretKeys({ dataDir, secretsKey: null })
    await signSessions(async (text) => (await pool.query(text)).rows, keys)
    return logins
  })
}

/** Queries hidden from the serving role, such as other sessions' statements. The callback gets the number of rows. */
export async function asOwner(
  url: string,
  work: (query: (text: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  await withPool(url, async (pool) => {
    const session = await pool.connect()
    try {
      await session.query("set role none")
      await work(async (text) => (await session.query(text)).rowCount ?? 0)
    } finally {
      session.release(true)
    }
  })
}

async function withPool<Result>(
  url: string,
  work: (pool: ReturnType<typeof createPool>) => Promise<Result>,
): Promise<Result> {
  const pool = createPool({ url, max: 1, applicationName: "bench" })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

interface Reply {
  status: number
  bytes: number
  lines: number
  firstByteMs: number
  ms: number
}

/** Reads the whole reply and discards it. */
export function download(url: string, token: string): Promise<Reply> {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      const reply = { status: response.statusCode ?? 0, bytes: 0, lines: 0, firstByteMs: 0, ms: 0 }
      response.on("data", (chunk: Buffer) => {
        reply.firstByteMs ||= performance.now() - begin
        reply.bytes += chunk.length
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) reply.lines += 1
      })
      response.once("error", reject)
      response.once("end", () => resolve({ ...reply, ms: performance.now() - begin }))
    })
    call.once("error", reject).end()
  })
}
