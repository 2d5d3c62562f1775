import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { embeddedUrl } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { administrator } from "./installation.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { createPix, openShop, type Pix, pay, readStatus, type Shop, send, sendJson } from "./shop.ts"

let workshop: Workshop
let server: ServerProcess
let adminToken: string

beforeAll(async () => {
  workshop = await openWorkshop()
  server = await workshop.startServer({
    dataDir: await workshop.newFolder(),
    env: { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password },
  })
  const { body } = await sendJson(`${server.url}/api/v1/auth/login`, "POST", administrator)
  adminToken = String(body.token)
})

afterAll(() => workshop.close())

async function asSeller({ token, pageId }: Shop, method: "PATCH" | "DELETE", path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) }
  const url = `${server.url}/api/v1/checkout/pages/${pageId}${path}`
  const { status } = await send(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  expect([200, 204]).toContain(status)
}

async function inactivate({ email }: Shop): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}` }
  const { body } = await send(`${server.url}/api/v1/admin/users?search=${email}`, { headers })
  const [user] = (body.data as { users: { _id: string }[] }).users
  const path = `/api/v1/admin/users/${user?._id}`
  expect((await sendJson(server.url + path, "PATCH", { active: false }, headers)).status).toBe(200)
}

async function complete(shop: Shop): Promise<void> {
  const other = await createPix(server.url, shop)
  await asSeller(shop, "PATCH", "", { maxPayments: 1 })
  await pay(server.url, other)
  while ((await readStatus(server.url, other)) !== "pago") await sleep(5)
}

const ways: [name: string, end: (shop: Shop) => Promise<void>][] = [
  ["cancelled", (shop) => asSeller(shop, "PATCH", "/cancel")],
  ["deleted", (shop) => asSeller(shop, "DELETE", "")],
  ["given another amount", (shop) => asSeller(shop, "PATCH", "", { amount: 44.44 })],
  ["completed", complete],
  ["left by an inactivated seller", inactivate],
]

test.each(ways)("the jobs are woken as a page is %s, and the bank refuses its codes", async (name, end) => {
  const client = new pg.Client({ connectionString: await embeddedUrl(server.dataDir) })
  await client.connect()
  try {
    await client.query("listen tilinta_removals")
    const tookMs: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const shop = await openShop(server.url)
      const pix = await createPix(server.url, shop)
      const woken = once(client, "notification")
      await end(shop)
      const begin = performance.now()
      expect(await woken).toMatchObject([{ channel: "tilinta_removals" }])
      await untilRemoved(pix)
      tookMs.push(Math.round(performance.now() - begin))
    }
    report(`a page ${name}: removed after ${tookMs.join(", ")} ms`)
  } finally {
    await client.end()
  }
})

async function untilRemoved({ pixCode }: Pix): Promise<void> {
  await eventually(
    () => send(`${server.url}/simulador/api/livros`),
    ({ body }) => {
      const charges = body.cobrancas as { pixCopiaECola: string; status: string }[]
      return charges.find((charge) => charge.pixCopiaECola === pixCode)?.status.startsWith("REMOVIDA") === true
    },
  )
}
