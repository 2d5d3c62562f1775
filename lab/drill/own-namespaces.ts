import { spawn } from "node:child_process"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const inside = "TILINTA_DRILL_INSIDE"
const outside = "TILINTA_DRILL_OUTSIDE"

/** A command that is run where the drill's addresses are; needs root, as the drill does. */
export function enterCommand(): string {
  return `nsenter --target ${process.env[outside]} --net --mount`
}

/** The first process of the new namespaces: reaps orphans, as an init does, and ends when the drill does. */
const init = `mount -t tmpfs tmpfs /run/netns 2>/dev/null || { mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns; }
ip link set lo up && "$@"
exit $?`

/**
 * Runs this program once more in namespaces of its own. Nothing it starts can be reached from outside, and the kernel
 * ends all of it, networks and disks included, when this process ends in any way. After a failure the logs stay.
 */
export async function enterOwnNamespaces(): Promise<void> {
  if (process.env[inside] !== undefined) return
  const folder = await mkdtemp(join(tmpdir(), "tilinta-drill-"))
  await chmod(folder, 0o755)
  const namespaces = ["--net", "--mount", "--pid", "--ipc", "--fork", "--kill-child=KILL", "--mount-proc"]
  const words = ["--pdeathsig", "KILL", "unshare", ...namespaces, "sh", "-c", init, "sh", process.execPath]
  const program = ["setpriv", ...words, ...process.execArgv, ...process.argv.slice(1)]
  // Its number out here, which nothing inside can see.
  const child = spawn("sh", ["-c", `${outside}=$$ exec "$@"`, "sh", ...program], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, [inside]: "1", TMPDIR: folder },
  })
  let isStopped = false
  for (const event of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(event, () => {
      isStopped = true
      child.kill("SIGKILL")
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", resolve)
  })
  if (code === 0 || isStopped) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  else console.error(`The logs are in ${folder}.`)
  process.exit(code ?? 1)
}
