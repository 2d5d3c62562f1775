import { afterAll, expect, test } from "vitest"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")
const body = { title: "Mentoria", slug: "mentoria", amount: 10, pixConfig: { allowAnonymous: true } }
const link: string = (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage
  .uniqueLink

afterAll(() => site.close())

async function countRefused(count: number, ask: (n: number) => Promise<{ status: number }>): Promise<number> {
  const replies = await Promise.all(Array.from({ length: count }, (_, n) => ask(n)))
  return replies.filter(({ status }) => status === 429).length
}

test.each([
  ["", 600, 100],
  ["/qr.svg", 100, 10],
  ["/preview.png", 60, 5],
])("/checkout/{link}%s: %d at once for a stranger's address, then %d a second", async (path, burst, perSecond) => {
  const get = (from: string) => site.call("GET", `/checkout/${link}${path}`, { from })
  expect(await countRefused(burst + 5, (n) => get(`2001:db8:0:1::${n.toString(16)}`))).toBe(5)
  expect((await get("2001:db8:0:2::1")).status).toBe(200)
  expect(Number((await get("2001:db8:0:1::1")).headers["retry-after"])).toBe(1)
  site.clock.pass(1)
  expect(await countRefused(perSecond + 5, () => get("2001:db8:0:1::1"))).toBe(5)
})

test("a picture's limit takes nothing from its page", async () => {
  await countRefused(80, () => site.call("GET", `/checkout/${link}/preview.png`, { from: "198.51.100.3" }))
  const page = await site.call("GET", `/checkout/${link}`, { from: "198.51.100.3" })
  expect(page.status).toBe(200)
})

test("this machine may be a proxy that names no client, so it is not limited", async () => {
  expect(await countRefused(120, () => site.call("GET", `/checkout/${link}/preview.png`, { from: "127.0.0.1" }))).toBe(
    0,
  )
})
