import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

export interface ServerNode {
  id: string
  host: string
  version: string
  startedAt: Date
}

export async function upsertNode(tx: Tx, { id, host, version, startedAt }: ServerNode, seenAt: Date): Promise<void> {
  await tx
    .insertInto("server_nodes")
    .values({ id, host, version, started_at: startedAt, seen_at: seenAt } satisfies NewRow<"server_nodes">)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: seenAt }))
    .execute()
}

export async function deleteNodesSeenBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("server_nodes").where("seen_at", "<", moment).execute()
}

export async function listNodesSeenSince(db: Db, moment: Date): Promise<ServerNode[]> {
  return db
    .selectFrom("server_nodes")
    .select(["id", "host", "version", "started_at as startedAt"])
    .where("seen_at", ">=", moment)
    .orderBy("started_at")
    .orderBy("id")
    .execute()
}
