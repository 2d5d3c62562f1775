import { eventually } from "../crash-tests/eventually.ts"
import { askOverTls, type Credentials } from "./ask-over-tls.ts"
import type { DatabaseNode } from "./database-node.ts"

/** Patroni and etcd of each machine, asked as an operator would. */
export interface PatroniApi {
  /** The primary by Patroni's word; null while there is none. */
  findPrimary(): Promise<DatabaseNode | null>
  findEtcdLeader(): Promise<DatabaseNode | null>
  switchOver(from: DatabaseNode): Promise<void>
  /** Resolves when all are members again and a standby is synchronous. */
  untilWhole(withinMs: number): Promise<void>
}

interface Member {
  role: string
  state: string
}

const switchoverWithinMs = 60_000
const shortly = () => ({ signal: AbortSignal.timeout(1_500) })

export function openPatroniApi(nodes: readonly DatabaseNode[], credentials: Credentials): PatroniApi {
  const patroniOf = ({ machine }: DatabaseNode) => `https://${machine.address}:8008`

  async function isPrimary(node: DatabaseNode): Promise<boolean> {
    return (await askOverTls(`${patroniOf(node)}/primary`, { ...credentials, ...shortly() })).status === 200
  }
  async function isEtcdLeader({ machine }: DatabaseNode): Promise<boolean> {
    const url = `https://${machine.address}:2379/v3/maintenance/status`
    const { text } = await askOverTls(url, { ...credentials, method: "POST", body: "{}", ...shortly() })
    const { header, leader } = JSON.parse(text) as { header: { member_id: string }; leader: string }
    return header.member_id === leader
  }
  async function membersOf(node: DatabaseNode): Promise<Member[]> {
    const { text } = await askOverTls(`${patroniOf(node)}/cluster`, { ...credentials, ...shortly() })
    return (JSON.parse(text) as { members: Member[] }).members
  }

  return {
    findPrimary: () => findNode(nodes, isPrimary),
    findEtcdLeader: () => findNode(nodes, isEtcdLeader),
    async switchOver(from) {
      const { status, text } = await askOverTls(`${patroniOf(from)}/switchover`, {
        ...{ ...credentials, method: "POST", body: JSON.stringify({ leader: from.machine.name }) },
        signal: AbortSignal.timeout(switchoverWithinMs),
      })
      if (status !== 200) throw new Error(`the switchover answered ${status}: ${text}`)
    },
    async untilWhole(withinMs) {
      await eventually(
        async () => {
          const states = await Promise.all(nodes.map((node) => membersOf(node).catch(() => [])))
          return states.find((members) => members.length > 0) ?? []
        },
        (members) => isWhole(members, nodes.length),
        withinMs,
      )
    },
  }
}

function isWhole(members: readonly Member[], count: number): boolean {
  return (
    members.length === count &&
    members.every(({ state }) => state === "running" || state === "streaming") &&
    members.some(({ role }) => role === "sync_standby")
  )
}

async function findNode(
  nodes: readonly DatabaseNode[],
  isIt: (node: DatabaseNode) => Promise<boolean>,
): Promise<DatabaseNode | null> {
  const answers = await Promise.all(nodes.map((node) => isIt(node).catch(() => false)))
  return nodes[answers.indexOf(true)] ?? null
}
