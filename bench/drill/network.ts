import { execFile } from "node:child_process"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** A machine of the drill: a network namespace with an address of its own. */
export interface Machine {
  name: string
  address: string
}

/** Several machines on this one: a bridge, and a network namespace for each. Needs root and Debian's iproute2. */
export interface Network {
  /** The host's own address on the bridge. */
  address: string
  range: string
  machines: readonly Machine[]
  /** Drops what these two say to each other, and to nobody else. */
  cut(one: Machine, other: Machine): Promise<void>
  mend(one: Machine, other: Machine): Promise<void>
  close(): Promise<void>
}

const bridge = "tilinta-drill"
const prefix = "10.213.77"

export async function openNetwork(count: number): Promise<Network> {
  const machines = Array.from({ length: count }, (_, at) => ({
    name: `tilinta-drill-${at + 1}`,
    address: `${prefix}.${11 + at}`,
  }))
  await close(machines)
  await ip("link", "add", bridge, "type", "bridge")
  await ip("address", "add", `${prefix}.1/24`, "dev", bridge)
  await ip("link", "set", bridge, "up")
  for (const [at, { name, address }] of machines.entries()) {
    const [outside, inside] = [`tdrill${at + 1}`, `eth${at + 1}`]
    await ip("netns", "add", name)
    await ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name)
    await ip("link", "set", outside, "master", bridge, "up")
    await ip("-n", name, "address", "add", `${address}/24`, "dev", inside)
    await ip("-n", name, "link", "set", inside, "up")
    await ip("-n", name, "link", "set", "lo", "up")
  }
  return {
    address: `${prefix}.1`,
    range: `${prefix}.0/24`,
    machines,
    cut: (one, other) => ip("-n", one.name, "route", "add", "blackhole", `${other.address}/32`),
    mend: (one, other) => ip("-n", one.name, "route", "del", "blackhole", `${other.address}/32`),
    close: () => close(machines),
  }
}

/** Whatever is left of an earlier drill, too. */
async function close(machines: readonly Machine[]): Promise<void> {
  for (const { name } of machines) await ip("netns", "del", name).catch(() => undefined)
  await ip("link", "del", bridge).catch(() => undefined)
}

async function ip(...args: string[]): Promise<void> {
  await execute("ip", args)
}
