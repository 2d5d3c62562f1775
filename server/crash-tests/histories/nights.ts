import { setTimeout as sleep } from "node:timers/promises"
import { query } from "../embedded-books.ts"
import { eventually } from "../eventually.ts"
import { expectStatus, sendJson } from "../shop.ts"
import { expectBooksByDay } from "./books-by-day.ts"
import { restart, type World } from "./world.ts"

interface Night {
  hours: number
  kills: "servers" | "servers and database"
}

/** Each is longer than a code lives, and the first ends in another month. */
const nights: Night[] = [
  { hours: 31 * 24 + 5, kills: "servers and database" },
  { hours: 26, kills: "servers" },
  { hours: 61, kills: "servers and database" },
]

const expiredWithinMs = 60_000
const pauseMs = 50

/** One night after so many steps of all histories together, as long as they live. */
export async function passNights(
  world: World,
  { count, stepsBetween, isOver }: { count: number; stepsBetween: number; isOver(): boolean },
): Promise<void> {
  for (const [index, night] of nights.slice(0, count).entries()) {
    while (world.counts.steps < (index + 1) * stepsBetween) {
      if (isOver()) return
      await sleep(pauseMs)
    }
    await pass(world, night)
    await expectBooksByDay(world, "past")
  }
}

/** Everything is killed in the middle of its work, and begins again hours or days later. */
async function pass(world: World, { hours, kills }: Night): Promise<void> {
  await world.gate.alone(async () => {
    if (kills === "servers and database") await world.installation.killDatabase()
    await restart(world, world.nodes, "SIGKILL", () => letTimePass(world, hours))
    await untilExpired(world)
    world.counts.nights += 1
  })
}

async function letTimePass(world: World, hours: number): Promise<void> {
  const ms = hours * 3_600_000
  // Before the bank's clock moves: whoever is paying right now may be late.
  for (const code of world.sellers.flatMap(({ codes }) => codes)) if (code.state === "open") code.state = "expired"
  expectStatus(
    await sendJson(`${world.installation.bankUrl}/simulador/api/controle/relogio`, "PUT", { avancarMs: ms }),
    200,
  )
  world.aheadMs += ms
  // People stay logged in, because a night may fall between two requests of one step.
  await query(
    world.installation.databaseUrl,
    `update sessions set created_at = created_at + $1::interval, last_used_at = last_used_at + $1::interval,
       expires_at = expires_at + $1::interval`,
    [`${hours} hours`],
  )
}

async function untilExpired(world: World): Promise<void> {
  const ids = world.sellers.flatMap(({ codes }) => codes.filter(({ state }) => state === "expired").map(({ id }) => id))
  const sql = "select id from charges where id = any($1) and status = 'pending'"
  await eventually(
    () => query(world.installation.databaseUrl, sql, [ids]),
    (open) => open.length === 0,
    expiredWithinMs,
  )
}
