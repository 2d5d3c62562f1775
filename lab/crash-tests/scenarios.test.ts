import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { readBankTotals } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { expectBooksInOrder, openWorld, restart, type World } from "./histories/world.ts"
import { type Installation, openInstallation } from "./installation.ts"
import { createBarrier } from "./replay/barrier.ts"
import { isAsExpected, observe } from "./replay/observe.ts"
import { type Played, play } from "./replay/play.ts"
import { readScenarios, type Scenario } from "./replay/scenario.ts"
import { sendJson, setFaults } from "./shop.ts"

/** `SCENARIO=lost` plays only scenarios whose name contains it. */
const wanted = process.env["SCENARIO"] ?? ""
const scenarios = readScenarios().filter(({ name }) => name.includes(wanted))

let installation: Installation
let world: World
let books: pg.Pool

beforeAll(async () => {
  installation = await openInstallation()
  world = await openWorld(installation, 1)
  books = new pg.Pool({ connectionString: installation.databaseUrl, max: 3 })
  // The database is restarted below; an idle connection then ends with an error that belongs to no query.
  books.on("error", () => undefined)
  await setFaults(installation.bankUrl, { liquidacaoMs: 0 })
})

afterAll(async () => {
  await books.end()
  await installation.close()
})

/**
 * Plays all scenarios at once, each with a seller of its own, then those that change shared state. Returns the
 * failures.
 */
async function playAll(happen: () => Promise<void>): Promise<string[]> {
  const begin = performance.now()
  const failures: string[] = []
  for (const alone of [false, true]) {
    const chosen = scenarios.filter((scenario) => scenario.alone === alone)
    if (chosen.length > 0) failures.push(...(await playTogether(chosen, happen)))
    await sendJson(`${installation.bankUrl}/simulador/api/controle/relogio`, "PUT", { adiantadoMs: 0 })
  }
  report(`${scenarios.length} scenarios in ${Math.round((performance.now() - begin) / 1000)} s`)
  return failures
}

async function playTogether(chosen: Scenario[], happen: () => Promise<void>): Promise<string[]> {
  const barrier = createBarrier(chosen.length, happen)
  const results = await Promise.allSettled(chosen.map((scenario) => play({ world, books }, scenario, barrier)))
  const played = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
  const slowest = played.toSorted((one, other) => other.seconds - one.seconds).slice(0, 3)
  report(`slowest: ${slowest.map(({ scenario, seconds }) => `${scenario.name} (${seconds} s)`).join(", ")}`)
  const changes = await Promise.all(played.map(changesSince))
  return [
    ...results.flatMap((result) => (result.status === "rejected" ? [messageOf(result.reason)] : [])),
    ...changes.filter((change) => change !== null),
  ]
}

/** One line per failure, with its causes: many may share one. */
function messageOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined
    ? `${error.message}: ${messageOf(error.cause)}`
    : String(error)
}

/** Later events must not have changed the scenario's result. */
async function changesSince({ scenario, actor }: Played): Promise<string | null> {
  const found = await observe(world, actor)
  if (isAsExpected(found, scenario.expected)) return null
  return `the scenario '${scenario.name}' did not stay as it was: ${JSON.stringify(found)}`
}

test.each(testSizes.scenarioRuns)("each scenario ends as it should on a server that is %s", async (run) => {
  const disturb = run === "left alone" ? async () => undefined : () => restart(world, world.nodes, "SIGKILL")
  expect(await playAll(disturb)).toEqual([])
})

test("each scenario ends as it should over two servers", async () => {
  world.nodes = [...world.nodes, await installation.startNode()]
  expect(await playAll(async () => undefined)).toEqual([])
})

test("and the books agree with the bank's", async () => {
  await eventually(
    () => books.query("select id from withdrawals where status in ('approved', 'processing')"),
    ({ rows }) => rows.length === 0,
  )
  for (const node of world.nodes) node.kill("SIGTERM")
  await Promise.all(world.nodes.map((node) => node.exited))
  await expectBooksInOrder(world)
  await installation.endBank()
  const sql = "select -balance_cents as balance from ledger_accounts where id = 'psp-clearing:simulator'"
  const { rows } = await books.query<{ balance: string }>(sql)
  const { paidIn, refunded, paidOut } = readBankTotals(installation.bankDataDir)
  expect(Number(rows[0]?.balance)).toBe(paidIn - refunded - paidOut)
})
