import { execFile } from "node:child_process"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** A machine of the drill: a network namespace with an address of its own. */
export interface Machine {
  name: string
  address: string
}

/** Several machines on this one: a bridge, and a network namespace for each. Runs in namespaces of its own. */
export interface Network {
  /** The host's own address on the bridge. */
  address: string
  range: string
  machines: readonly Machine[]
  /** Drops what these two say to each other, and to nobody else. */
  cut(one: Machine, other: Machine): Promise<void>
  mend(one: Machine, other: Machine): Promise<void>
}

const bridge = "tilinta-drill"
/** Addresses of the loopback range: nothing of the drill can ever leave this machine. */
const prefix = "127.77.0"

export async function openNetwork(count: number): Promise<Network> {
  const machines = Array.from({ length: count }, (_, at) => ({
    name: `tilinta-drill-${at + 1}`,
    address: `${prefix}.${11 + at}`,
  }))
  await allowLoopbackOnWires()
  await ip("link", "add", bridge, "type", "bridge")
  await ip("address", "add", `${prefix}.1/24`, "dev", bridge)
  await ip("link", "set", bridge, "up")
  for (const [at, { name, address }] of machines.entries()) {
    const [outside, inside] = [`tdrill${at + 1}`, `eth${at + 1}`]
    await ip("netns", "add", name)
    await allowLoopbackOnWires(name)
    await ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name)
    await ip("link", "set", outside, "master", bridge, "up")
    await ip("-n", name, "address", "add", `${address}/24`, "dev", inside)
    await ip("-n", name, "link", "set", inside, "up")
  }
  return {
    address: `${prefix}.1`,
    range: `${prefix}.0/24`,
    machines,
    cut: (one, other) => ip("-n", one.name, "route", "add", "blackhole", `${other.address}/32`),
    mend: (one, other) => ip("-n", one.name, "route", "del", "blackhole", `${other.address}/32`),
  }
}

/** Linux keeps 127.0.0.0/8 on `lo` unless it is told otherwise. */
async function allowLoopbackOnWires(namespace?: string): Promise<void> {
  const where = namespace === undefined ? [] : ["-n", namespace]
  await ip(...where, "link", "set", "lo", "up")
  await ip(...where, "address", "del", "127.0.0.1/8", "dev", "lo")
  await ip(...where, "address", "add", "127.0.0.1/32", "dev", "lo")
  const setting = ["sh", "-c", "echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet"]
  if (namespace === undefined) await execute("sh", setting.slice(1))
  else await ip("netns", "exec", namespace, ...setting)
}

async function ip(...args: string[]): Promise<void> {
  await execute("ip", args)
}
