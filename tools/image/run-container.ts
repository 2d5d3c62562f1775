import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

/** An image's settings, as `buildah inspect` shows them. */
interface ImageConfig {
  Env: string[]
  Cmd: string[]
  WorkingDir: string
  Healthcheck?: { Test: string[] }
}

interface Place {
  /** The mounted image, which is bound read-only. */
  root: string
  volume: string
  uid: number
  config: ImageConfig
  env: Record<string, string>
}

export interface Container {
  url: string
  /** Everything that was printed so far. */
  output(): string
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
}

/** A container's runtime in a few lines, in a mount namespace of its own: root read-only, /tmp in memory, the volume at /data. */
const isolate = `
set -e
root=$1; volume=$2; user=$3; folder=$4; shift 4
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
mount -t tmpfs -o size=256m,mode=1777 tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -o remount,ro,bind "$root"
exec chroot --userspec="$user:0" --groups=0 "$root" /usr/bin/env --ignore-environment --chdir="$folder" "$@"
`

export async function startContainer(place: Place): Promise<Container> {
  const child = spawnInside(place, place.config.Cmd)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  const exited = once(child, "exit")
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const found = /^Tilinta pronta em (http:\S+)/m.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    void exited.then(() => reject(new Error(`the container ended:\n${output.split("\n").slice(-25).join("\n")}`)))
  })
  return {
    url,
    output: () => output,
    async stop() {
      child.kill("SIGTERM")
      await exited
      return child.exitCode
    },
  }
}

/** Runs a command beside the server, as `docker exec` does, and returns its exit code. */
export async function exitCodeOf(place: Place, command: string[]): Promise<number | null> {
  const child = spawnInside(place, command)
  child.stdout?.resume()
  child.stderr?.resume()
  await once(child, "exit")
  return child.exitCode
}

function spawnInside({ root, volume, uid, config, env }: Place, command: readonly string[]): ChildProcess {
  const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const inside = [root, volume, String(uid), config.WorkingDir, ...variables, ...command]
  const namespace = ["--mount", "--propagation", "private", "sh", "-c", isolate, "sh", ...inside]
  return spawn("unshare", namespace, { stdio: ["ignore", "pipe", "pipe"] })
}

export function readImageConfig(inspected: string): ImageConfig {
  return (JSON.parse(inspected) as { Docker: { config: ImageConfig } }).Docker.config
}
