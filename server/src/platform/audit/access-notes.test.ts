import { afterAll, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { createAccessNotes } from "./access-notes.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

test("a note that waited for the database is recorded when it was written, and says when it happened", async () => {
  const firstAt = new Date("2026-11-20T12:00:00Z")
  let now = firstAt
  const notes = createAccessNotes({ db: database.db, clock: { now: () => now } })
  const access = { actor: null, action: "access.refused", entity: "endpoint", facts: { code: "forbidden" } } as const
  const recorded = async (entityId: string) => {
    const rows = database.db.selectFrom("audit_records").select(["happened_at", "after"])
    return rows.where("entity_id", "=", entityId).execute()
  }
  notes.note({ ...access, entityId: "GET /soon" })
  now = secondsAfter(firstAt, 5)
  await notes.flush()
  expect(await recorded("GET /soon")).toEqual([{ happened_at: firstAt, after: { code: "forbidden" } }])

  notes.note({ ...access, entityId: "GET /late" })
  const noted = now
  now = secondsAfter(firstAt, 7_200)
  await notes.flush()
  expect(await recorded("GET /late")).toEqual([
    { happened_at: now, after: { code: "forbidden", firstAt: noted.toISOString() } },
  ])
})
