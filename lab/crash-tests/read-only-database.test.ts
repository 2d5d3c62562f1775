import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { query } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { type Installation, openInstallation } from "./installation.ts"
import type { ServerProcess } from "./server-process.ts"
import { type Answer, askForPix, createPix, openShop, type Pix, pay, readStatus, type Shop, send } from "./shop.ts"
import { openStatusStream } from "./status-stream.ts"

let installation: Installation
let nodes: ServerProcess[]
let shop: Shop

beforeAll(async () => {
  installation = await openInstallation()
  nodes = await Promise.all([installation.startNode(), installation.startNode()])
  shop = await openShop(nodes[0]?.url ?? "", { reais: 100 })
})

afterAll(() => installation.close())

/** For so long /readyz answers from its last write. */
const readyzMs = 1_000

/** The option keeps this session out of what is broken. */
async function asOwner(...statements: string[]): Promise<void> {
  const url = new URL(installation.databaseUrl)
  url.searchParams.set("options", "-c default_transaction_read_only=off")
  for (const statement of statements) await query(url.toString(), statement)
}

const reload = "select pg_reload_conf()"
const endSessions =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tilinta%' and pid <> pg_backend_pid()"

const kinds = [
  {
    name: "turns read-only under open connections",
    break: () => asOwner("alter system set default_transaction_read_only = on", reload),
    mend: () => asOwner(...mended),
  },
  {
    name: "is read-only when connections are opened anew, and lets them live",
    break: () => asOwner("alter database tilinta set default_transaction_read_only = on", endSessions),
    mend: () => asOwner("alter database tilinta reset default_transaction_read_only"),
  },
]
const mended = ["alter system reset default_transaction_read_only", reload]

async function answersWhile(pauses: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let time = 0; time < pauses; time += 1) {
    for (const { url } of nodes) answers.push(await askForPix(url, shop), await send(`${url}/readyz`))
    await sleep(200)
  }
  return answers
}

test.each(kinds)("a database that $name is 503 everywhere, and all is well after it", async (kind) => {
  await kind.break()
  await sleep(readyzMs)
  const refusals = await answersWhile(10)
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]))
  expect(refusals.every(({ headers }) => Number(headers.get("retry-after")) >= 1)).toBe(true)

  await kind.mend()
  const mendedAt = performance.now()
  await Promise.all(
    nodes.map(async ({ url }) => {
      await eventually(
        () => send(`${url}/readyz`),
        ({ status }) => status === 200,
      )
      await eventually(
        () => askForPix(url, shop),
        ({ status }) => status === 201,
      )
    }),
  )
  await Promise.all(nodes.map((node, at) => paidWithin(node, nodes[1 - at] ?? node)))
  report(
    `both nodes created, booked and showed a Pix ${Math.round(performance.now() - mendedAt)} ms after the database`,
  )
  const answers = await answersWhile(5)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
})

/** Created at one node, and shown as paid by a stream of the other. */
async function paidWithin(node: ServerProcess, other: ServerProcess): Promise<void> {
  const pix: Pix = await createPix(node.url, shop)
  const stream = await openStatusStream(other.url, pix)
  await pay(node.url, pix)
  await stream.until("pago")
  stream.close()
  expect(await readStatus(node.url, pix)).toBe("pago")
}
