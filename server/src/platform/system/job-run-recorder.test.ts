import { afterAll, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { createJobRunRecorder, saveJobRuns } from "./job-runs.ts"
import { listJobRunRows } from "./reads.ts"

const noon = new Date("2026-11-21T12:00:00Z")

const database = await createTestDatabase()

afterAll(() => database.drop())

test("runs on several nodes are merged, failures are counted until one succeeds, and a change is written at once", async () => {
  let changes = 0
  const one = createJobRunRecorder(() => {
    changes += 1
  })
  const other = createJobRunRecorder(() => undefined)
  const recorders = [one.of("send-mails", 1), other.of("send-mails", 1)] as const
  const run = (node: 0 | 1, seconds: number, error: Error | null) =>
    recorders[node]({ startedAt: secondsAfter(noon, seconds), durationMs: 7, error })
  const save = (notes: typeof one) => database.db.transaction().execute((tx) => saveJobRuns(tx, notes.flush()))

  run(0, 0, null)
  await save(one)
  expect(changes).toBe(1)
  run(0, 1, new Error("the disk is full"))
  run(0, 2, new Error("still full"))
  await save(one)
  run(1, 3, new Error("full here too"))
  await save(other)
  expect(changes).toBe(2)
  expect(await listJobRunRows(database.db)).toEqual([
    {
      name: "send-mails",
      everySeconds: 1,
      lastStartedAt: secondsAfter(noon, 3),
      lastDurationMs: 7,
      lastSucceededAt: noon,
      lastFailedAt: secondsAfter(noon, 3),
      lastError: "full here too",
      failuresInRow: 3,
    },
  ])

  run(0, 4, null)
  run(0, 5, new Error("again"))
  await save(one)
  expect(await listJobRunRows(database.db)).toMatchObject([
    { lastSucceededAt: secondsAfter(noon, 4), lastError: "again", failuresInRow: 1 },
  ])
  expect(changes).toBe(4)
  await save(one)
  expect(await listJobRunRows(database.db)).toMatchObject([{ failuresInRow: 1 }])
})
