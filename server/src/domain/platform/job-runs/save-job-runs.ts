import type { Db, Tx } from "#db/transaction"
import { listJobRunRows, type RecentJobRuns, upsertJobRuns } from "./job-runs-repository.ts"

export type { RecentJobRuns } from "./job-runs-repository.ts"

export async function saveJobRuns(tx: Tx, news: RecentJobRuns[]): Promise<void> {
  if (news.length > 0) await upsertJobRuns(tx, news)
}

export function listJobRuns(db: Db): Promise<RecentJobRuns[]> {
  return listJobRunRows(db)
}
