import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

const ticksPerSecond = 100

/** CPU seconds, user and system, of a process and its ended children; 0 when it is gone. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid)
  return fields === null ? 0 : (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** CPU seconds of a PostgreSQL server: its own, its living children's and its ended children's. */
export function postgresCpuSeconds(postmaster: number): number {
  const fields = statFields(postmaster)
  if (fields === null) return 0
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  return childrenOf(postmaster).reduce((sum, pid) => sum + cpuSeconds(pid), cpuSeconds(postmaster) + ended)
}

export function residentMb(pid: number): number {
  const found = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return Number(found?.[1] ?? 0) / 1024
}

/** The pid of the PostgreSQL server that owns this data folder. */
export function postmasterOf(dataDirOfCluster: string): number {
  return Number(readFileSync(`${dataDirOfCluster}/postmaster.pid`, "utf8").split("\n")[0])
}

export function childrenOf(pid: number): number[] {
  const list = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)]).toString()
  return list
    .split("\n")
    .map(Number)
    .filter((child) => child > 0)
}

/** The fields after the name in brackets, which may contain spaces. */
function statFields(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? null
  } catch {
    return null
  }
}
