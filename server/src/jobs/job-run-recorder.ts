import type { JobName } from "@tilinta/contract/vocabulary/jobs"
import type { RecentJobRuns } from "#domain/platform/job-runs/save-job-runs"
import type { EndedJobRun } from "./schedule-job.ts"

export interface JobRunRecorder {
  /** Returns the job's recorder of ended runs. */
  of(name: JobName, everySeconds: number): (jobRun: EndedJobRun) => void
  /** Runs recorded since the last call. */
  take(): RecentJobRuns[]
}

const longestMessage = 300

/**
 * Kept in memory, so that a job that runs every second doesn't write every second. `onChange` is called at a job's
 * first run, and when it begins or stops to fail.
 */
export function createJobRunRecorder(onChange: () => void): JobRunRecorder {
  const news = new Map<JobName, RecentJobRuns>()
  const hasFailed = new Map<JobName, boolean>()

  function note(name: JobName, everySeconds: number, { startedAt, durationMs, error }: EndedJobRun): void {
    const before = news.get(name)
    const failed = error !== null
    news.set(name, {
      name,
      everySeconds,
      lastStartedAt: startedAt,
      lastDurationMs: durationMs,
      lastSucceededAt: failed ? (before?.lastSucceededAt ?? null) : startedAt,
      lastFailedAt: failed ? startedAt : (before?.lastFailedAt ?? null),
      lastError: failed ? messageOf(error) : (before?.lastError ?? null),
      failuresInRow: failed ? (before?.failuresInRow ?? 0) + 1 : 0,
    })
    const changed = hasFailed.get(name) !== failed
    hasFailed.set(name, failed)
    if (changed) onChange()
  }

  return {
    of: (name, everySeconds) => (jobRun) => note(name, everySeconds, jobRun),
    take() {
      const taken = [...news.values()]
      news.clear()
      return taken
    },
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, longestMessage)
}
