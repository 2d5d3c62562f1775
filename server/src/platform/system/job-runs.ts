import { type JobName, jobLabels } from "@tilinta/contract/vocabulary/system"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import type { EndedJobRun } from "#jobs/schedule-job"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { Gauge, metrics } from "#kit/metrics"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import type { Psp } from "#psp/psp"
import type { RecentJobRuns } from "./reads.ts"
import { upsertJobRuns } from "./table.ts"

/** The jobs of this node. */
export interface JobControl {
  /** Starts the job; one that is already running runs once more afterwards. */
  wake(name: JobName): void
  isRunning(name: JobName): boolean
}

interface Deps {
  db: Db
  clock: Clock
  jobs: JobControl
}

/** @throws job_not_found, job_running */
export async function runJobByHand(
  { db, clock, jobs }: Deps,
  { name, admin }: { name: string; admin: Actor },
): Promise<void> {
  if (!isJob(name)) throw new DomainError("job_not_found")
  if (jobs.isRunning(name)) throw new DomainError("job_running")
  const entry = { actor: admin, happenedAt: clock.now(), action: "job.run", entity: "job", entityId: name } as const
  await db.transaction().execute((tx) => recordAudit(tx, { ...entry, before: null, after: null }))
  jobs.wake(name)
}

function isJob(name: string): name is JobName {
  return Object.hasOwn(jobLabels, name)
}

export async function saveJobRuns(tx: Tx, pending: RecentJobRuns[]): Promise<void> {
  if (pending.length > 0) await upsertJobRuns(tx, pending)
}

export interface JobRunRecorder {
  /** Returns the function that records this job's ended runs. */
  of(name: JobName, everySeconds: number): (jobRun: EndedJobRun) => void
  /** Returns the runs recorded since the last call and forgets them. */
  flush(): RecentJobRuns[]
}

const longestMessage = 300

/**
 * Collects job runs in memory until they are flushed, so that a job that runs every second does not write every second.
 * Calls `onChange` at a job's first run, and when it begins or stops failing.
 */
export function createJobRunRecorder(onChange: () => void): JobRunRecorder {
  const pending = new Map<JobName, RecentJobRuns>()
  const hasFailed = new Map<JobName, boolean>()

  function record(name: JobName, everySeconds: number, { startedAt, durationMs, error }: EndedJobRun): void {
    const before = pending.get(name)
    const failed = error !== null
    pending.set(name, {
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
    of: (name, everySeconds) => (jobRun) => record(name, everySeconds, jobRun),
    flush() {
      const jobRuns = [...pending.values()]
      pending.clear()
      return jobRuns
    },
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, longestMessage)
}

interface ClockDeps {
  psp: Pick<Psp, "bankTime">
  clock: Clock
  log: Logger
}

/** More than rounding, slow answers and ordinary drift explain. */
const MOST_SECONDS = 60
/** Repeats the alarm once an hour at a poll every ten seconds. */
const POLLS_BETWEEN_ALARMS = 360

const skew = new Gauge({
  name: "clock_skew_seconds",
  help: "How far this server's clock is ahead of the provider's",
  registers: [metrics],
  aggregator: "max",
})

/**
 * Each call compares our clock with the provider's and returns how many seconds ours is ahead. The alarm waits for a
 * second poll, because after a pause of the whole machine the first one only sees that no answer has come yet.
 */
export function createClockWatch({ psp, clock, log }: ClockDeps): () => number | null {
  let polls = 0

  return () => {
    const theirs = psp.bankTime()
    const seconds = theirs === null ? null : Math.round((clock.now().getTime() - theirs.getTime()) / 1000)
    skew.set(seconds ?? Number.NaN)
    polls = seconds !== null && Math.abs(seconds) > MOST_SECONDS ? polls + 1 : 0
    if (polls % POLLS_BETWEEN_ALARMS === 2) {
      log.error({ alarm: "clock_skew", aheadSeconds: seconds }, "this server's clock differs from the provider's")
    }
    return seconds
  }
}
