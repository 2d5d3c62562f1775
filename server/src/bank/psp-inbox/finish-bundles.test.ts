import { afterAll, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { storeTestWebhook } from "../../../test-support/test-webhooks.ts"
import { bundleFinisher, type ClaimedBundle, type MessageOutcome } from "./process.ts"
import { claimInboxBundles } from "./table.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

const provider = "bank"
const noon = new Date("2031-05-05T12:00:00Z")
const at = (seconds: number) => ({ now: () => secondsAfter(noon, seconds) })

async function claimAt(seconds: number): Promise<ClaimedBundle> {
  const now = secondsAfter(noon, seconds)
  const claimedUntil = secondsAfter(now, 30)
  const claim = { provider, now, until: claimedUntil, rows: 1, messages: 10 }
  const [bundle] = await database.db.transaction().execute((tx) => claimInboxBundles(tx, claim))
  if (bundle === undefined) throw new Error("nothing to claim")
  return { ...bundle, claimedUntil }
}

async function rowOf({ id }: ClaimedBundle) {
  const columns = ["next_attempt_at", "attempts", "last_error", "processed_at"] as const
  return database.db.selectFrom("psp_inbox").select(columns).where("id", "=", id).executeTakeFirstOrThrow()
}

test.for<MessageOutcome>(["open", "given-back"])(
  "a worker that comes back (%s) after its claim has ended leaves the bundle to the one that claimed it since",
  async (outcome) => {
    await storeTestWebhook({ db: database.db, clock: at(0), psp: { name: provider } }, Buffer.from("{}"))
    const slow = await claimAt(1)
    const quick = await claimAt(40)
    expect(quick.id).toBe(slow.id)
    const claimed = await rowOf(quick)
    expect(claimed).toMatchObject({ next_attempt_at: quick.claimedUntil, attempts: 2, last_error: null })

    await bundleFinisher({ db: database.db, clock: at(41) })(slow, [outcome])
    expect(await rowOf(quick)).toEqual(claimed)

    await bundleFinisher({ db: database.db, clock: at(42) })(quick, [outcome])
    expect(await rowOf(quick)).not.toEqual(claimed)
    await bundleFinisher({ db: database.db, clock: at(43) })(quick, ["settled"])
    expect(await rowOf(quick)).toMatchObject({ processed_at: secondsAfter(noon, 43) })
  },
)
