import type { Db, Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { deleteNodesSeenBefore, listNodesSeenSince, type ServerNode, upsertNode } from "./server-nodes-repository.ts"

export type { NodeIdentity, ServerNode } from "./server-nodes-repository.ts"

/** A node reports several times within this period; a silent one counts as gone. */
const ALIVE_SECONDS = 60

export async function recordHeartbeat(tx: Tx, node: ServerNode, now: Date): Promise<void> {
  await upsertNode(tx, node, now)
  await deleteNodesSeenBefore(tx, secondsAfter(now, -ALIVE_SECONDS))
}

export function listNodes(db: Db, now: Date): Promise<ServerNode[]> {
  return listNodesSeenSince(db, secondsAfter(now, -ALIVE_SECONDS))
}
