import type { Tx } from "#db/transaction"
import { deleteNoticesOf } from "./notices-repository.ts"

export async function deleteAllNotices(tx: Tx, userId: string): Promise<void> {
  await deleteNoticesOf(tx, userId)
}
