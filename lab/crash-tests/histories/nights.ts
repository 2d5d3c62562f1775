import { setTimeout as sleep } from "node:timers/promises"
import { signSessions } from "../../kit/sign-sessions.ts"
import { query } from "../embedded-books.ts"
import { eventually } from "../eventually.ts"
import { expectStatus, sendJson } from "../shop.ts"
import { expectBooksByDay } from "./books-by-day.ts"
import { type Step, step } from "./step.ts"
import { bankApi, restart, type World } from "./world.ts"

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

interface Plan {
  count: number
  kills: number
  /** So many have something to leave until the next day. */
  waiting: number
  stepsBetween: number
  isOver(): boolean
}

/** One night or kill after so many steps of all histories together, and what is left of them once these are over. */
export async function passNights(world: World, { count, kills, waiting, stepsBetween, isOver }: Plan): Promise<void> {
  const events = [...nights.slice(0, count), ...Array.from({ length: kills }, (_, index) => killAt(index))]
  // Kills first and between, so that there is something of every kind before a night.
  for (const [index, event] of spread(events, count).entries()) {
    while (world.counts.steps < (index + 1) * stepsBetween && !isOver()) await sleep(pauseMs)
    while (event.hours > 0 && world.counts.waiting < waiting && !world.isStopping) await sleep(pauseMs)
    if (world.isStopping) return
    await pass(world, event)
    if (event.hours > 0) await expectBooksByDay(world, "past")
  }
}

/** The first night waits for whoever has something to leave until the next day. */
export function sleepOver(): Step {
  return step("wait for a night", async (_books, world) => {
    world.counts.waiting += 1
    while (world.counts.nights === 0 && !world.isStopping) await sleep(pauseMs)
  })
}

/** Everything is killed, and begins again at once. */
function killAt(index: number): Night {
  return { hours: 0, kills: index % 2 === 0 ? "servers and database" : "servers" }
}

/** The last is a night. */
function spread(events: Night[], nightCount: number): Night[] {
  const [long, short] = [events.slice(0, nightCount), events.slice(nightCount)]
  const each = Math.ceil(short.length / Math.max(1, nightCount))
  return long.flatMap((night, index) => [...short.slice(index * each, (index + 1) * each), night])
}

/** Everything is killed in the middle of its work, and begins again at once, or hours or days later. */
async function pass(world: World, { hours, kills }: Night): Promise<void> {
  await world.gate.alone(async () => {
    if (kills === "servers and database") await world.installation.killDatabase()
    await restart(world, world.nodes, "SIGKILL", () => letTimePass(world, hours))
    world.counts.kills += kills === "servers" ? world.nodes.length : world.nodes.length + 1
    if (hours === 0) return
    await untilExpired(world)
    world.counts.nights += 1
  })
}

async function letTimePass(world: World, hours: number): Promise<void> {
  if (hours === 0) return
  const ms = hours * 3_600_000
  // Before the bank's clock moves: whoever is paying right now may be late.
  for (const code of world.sellers.flatMap(({ codes }) => codes)) if (code.state === "open") code.state = "expired"
  expectStatus(await sendJson(`${bankApi(world)}/controle/relogio`, "PUT", { avancarMs: ms }), 200)
  world.aheadMs += ms
  // People stay logged in, because a night may fall between two requests of one step.
  await query(
    world.installation.databaseUrl,
    `update sessions set created_at = created_at + $1::interval, last_used_at = last_used_at + $1::interval,
       expires_at = expires_at + $1::interval`,
    [`${hours} hours`],
  )
  await signSessions((text) => query(world.installation.databaseUrl, text))
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
