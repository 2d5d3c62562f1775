import { expect } from "vitest"
import { eventually } from "../eventually.ts"
import { type Answer, expectStatus } from "../shop.ts"
import { call, callAsAdmin, queryThroughKills, type World } from "./world.ts"

const settledWithinMs = 90_000
/** Any of that form: nobody looks for it. */
const endToEndId = "E00000000202611260000abcdefghijk"

/** The bank has had so long to answer for the payout. */
export async function passADay(world: World, withdrawalId: string): Promise<void> {
  const sql = "update withdrawals set sent_at = sent_at - interval '25 hours' where id = $1"
  await queryThroughKills(world, sql, [withdrawalId])
}

/** And the minute after which no worker can be sending it any more. */
export async function passAMinute(world: World, table: "withdrawals" | "refunds", id: string): Promise<void> {
  const sql = `update ${table} set sending_at = sending_at - interval '1 minute' where id = $1`
  await queryThroughKills(world, sql, [id])
}

/** People say what became of money that the bank never answers for: both, where there are two administrators. */
export async function settleByHand(world: World, path: string, word: "paid" | "not_paid"): Promise<void> {
  await world.rulesGate.together(async () => {
    const body = { outcome: word, reason: "Conforme o extrato", ...(word === "paid" && { endToEndId }) }
    const say = () => callAsAdmin(world, "PATCH", path, body)
    const isSettled = (answer: Answer) => (expectStatus(answer, 200).data as { settled: boolean }).settled
    const first = isSettled(await say())
    if (first) return
    if (world.second.isActive) {
      const asSecond = () => call(world, "PATCH", path, { body, token: world.second.token })
      if (isSettled(await asSecond())) return
    }
    // A worker may just be sending.
    await eventually(
      async () => isSettled(await say()),
      (settled) => settled,
      settledWithinMs,
    )
    expect(first).toBe(false)
  })
}
