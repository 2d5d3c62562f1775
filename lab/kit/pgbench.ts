import { spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface PgbenchWish {
  databaseUrl: string
  script: string
  clients: number
  seconds: number
  variables?: Record<string, number>
}

/** Transactions per second of a script by PostgreSQL's own tool: the same work without our server. */
export async function pgbench({ databaseUrl, script, clients, seconds, variables = {} }: PgbenchWish): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-pgbench-"))
  try {
    const file = join(folder, "script.sql")
    await writeFile(file, script)
    const wishes = Object.entries(variables).flatMap(([name, value]) => ["-D", `${name}=${value}`])
    const options = ["-n", "-M", "prepared", "-c", String(clients), "-j", "1", "-T", String(seconds)]
    // The address holds the database's password, so it is never logged.
    const told = spawnSync("pgbench", [...options, ...wishes, "-f", file, databaseUrl], { encoding: "utf8" })
    if (told.error !== undefined) {
      throw new Error("This job needs pgbench on the PATH; it comes with PostgreSQL (Debian: postgresql-contrib).")
    }
    const rate = Number(/tps = ([\d.]+)/.exec(told.stdout)?.[1])
    const failed = /number of failed transactions: (\d+)/.exec(told.stdout)?.[1] ?? "0"
    if (told.status === 0 && failed === "0" && rate > 0) return rate
    throw new Error(`pgbench failed: ${told.stderr.split("\n").slice(0, 4).join(" ")}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
