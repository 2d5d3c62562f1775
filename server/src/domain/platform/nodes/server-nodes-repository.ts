import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

export interface NodeIdentity {
  id: string
  host: string
  version: string
  startedAt: Date
}

export interface ServerNode extends NodeIdentity {
  /** How far its clock is ahead of the provider's; negative where it is behind, null while unknown. */
  clockSkewSeconds: number | null
}

export async function upsertNode(tx: Tx, node: ServerNode, seenAt: Date): Promise<void> {
  const { id, host, version, startedAt, clockSkewSeconds } = node
  const news = { seen_at: seenAt, clock_skew_seconds: clockSkewSeconds }
  await tx
    .insertInto("server_nodes")
    .values({ id, host, version, started_at: startedAt, ...news } satisfies NewRow<"server_nodes">)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(news))
    .execute()
}

export async function deleteNodesSeenBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("server_nodes").where("seen_at", "<", moment).execute()
}

export async function listNodesSeenSince(db: Db, moment: Date): Promise<ServerNode[]> {
  return db
    .selectFrom("server_nodes")
    .select(["id", "host", "version", "started_at as startedAt", "clock_skew_seconds as clockSkewSeconds"])
    .where("seen_at", ">=", moment)
    .orderBy("started_at")
    .orderBy("id")
    .execute()
}
