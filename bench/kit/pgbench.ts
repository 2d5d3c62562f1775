import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

export interface PgbenchWish {
  databaseUrl: string
  script: string
  clients: number
  seconds: number
  variables?: Record<string, number>
}

/** Transactions per second of a script, by PostgreSQL's own tool: the same work with no server of ours around it. */
export async function pgbench({ databaseUrl, script, clients, seconds, variables = {} }: PgbenchWish): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-pgbench-"))
  try {
    const file = join(folder, "script.sql")
    await writeFile(file, script)
    const wishes = Object.entries(variables).flatMap(([name, value]) => ["-D", `${name}=${value}`])
    const options = ["-n", "-M", "prepared", "-c", String(clients), "-j", "1", "-T", String(seconds)]
    const { stdout } = await run("pgbench", [...options, ...wishes, "-f", file, databaseUrl])
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? "0"
    const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    if (failed !== "0" || !(rate > 0)) throw new Error(`pgbench: ${stdout}`)
    return rate
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    if (code === "ENOENT") {
      throw new Error("This job needs pgbench on the PATH; it comes with PostgreSQL (Debian: postgresql-contrib).")
    }
    // The command itself holds the database's password.
    throw new Error(`pgbench failed: ${stderr?.split("\n").slice(0, 4).join(" ") ?? String(error)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
