import { spawn } from "node:child_process"
import { stat } from "node:fs/promises"
import { constants, setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import type { Env } from "#start/env"

const command = fileURLToPath(new URL("./backup.ts", import.meta.url))

type BackupEnv = Pick<Env, "dataDir" | "databaseUrl" | "backupKeys" | "secretsKey">

/**
 * `npm run backup` in a process of its own: reading and packing the whole database would hold up requests. It takes
 * whatever time the others leave.
 */
export async function runBackup(env: BackupEnv, path: string, signal: AbortSignal): Promise<number> {
  const child = spawn(process.execPath, [command, path], {
    env: variablesOf(env),
    stdio: ["ignore", "ignore", "pipe"],
    signal,
  })
  lowerPriority(child.pid)
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-2_000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  if (code !== 0) throw new Error(output.trim().split("\n").at(-1) ?? `the backup ended with ${code}`)
  return (await stat(path)).size
}

/** Nothing else of the server's own environment. */
function variablesOf({ dataDir, databaseUrl, backupKeys, secretsKey }: BackupEnv): Record<string, string> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    DATA_DIR: dataDir,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    ...(backupKeys !== null && { BACKUP_KEY: textOf(backupKeys) }),
    ...(secretsKey !== null && { SECRETS_KEY: textOf(secretsKey) }),
  }
}

function textOf(keys: readonly { key: Buffer }[]): string {
  return keys.map(({ key }) => key.toString("base64")).join(",")
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It ended already, or the system doesn't allow it.
  }
}
