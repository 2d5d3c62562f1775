import type { Db, Tx } from "#db/transaction"
import { type JobNews, listJobRunRows, upsertJobRuns } from "./job-runs-repository.ts"

export type { JobNews } from "./job-runs-repository.ts"

export async function saveJobRuns(tx: Tx, news: JobNews[]): Promise<void> {
  if (news.length > 0) await upsertJobRuns(tx, news)
}

export function listJobRuns(db: Db): Promise<JobNews[]> {
  return listJobRunRows(db)
}
