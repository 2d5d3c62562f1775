import { afterAll, expect, test } from "vitest"
import { openTestApp } from "../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const statusOf = (transaction: string, from: string) =>
  site.call("GET", `/api/v1/checkout/payment-status/${transaction}`, { from })
const setting = (from: string, headers: Record<string, string> = {}) =>
  site.call("GET", "/api/v1/public/settings/PLATFORM_NAME", { from, headers })

/** Sends requests that arrive at one moment of the server's clock. */
async function statusesOf(count: number, ask: (i: number) => ReturnType<typeof setting>): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < count; i += 50) {
    const replies = await Promise.all(Array.from({ length: Math.min(50, count - i) }, (_, j) => ask(i + j)))
    statuses.push(...replies.map((reply) => reply.status))
  }
  return statuses
}

const countOf = (statuses: number[], status: number) => statuses.filter((each) => each === status).length

test("P14: endless polling of one payment is rate-limited; 200 payers behind the same address are not", async () => {
  const office = "198.51.100.7"
  expect(countOf(await statusesOf(100, () => statusOf("abused", office)), 429)).toBe(40)
  const refused = await statusOf("abused", office)
  expect(refused.json).toEqual({
    status: "fail",
    message: "Muitas tentativas. Aguarde um pouco e tente novamente.",
    code: "too_many_requests",
  })
  expect(refused.headers["retry-after"]).toBe("1")
  for (let seconds = 0; seconds < 12; seconds += 3) {
    site.clock.pass(3)
    const statuses = await statusesOf(200, (i) => statusOf(`payer-${i}`, office))
    expect(countOf(statuses, 404)).toBe(200)
  }
})

test("two payments polled alternately are rate-limited separately", async () => {
  const statuses = await statusesOf(200, (i) => statusOf(i % 2 === 0 ? "one" : "other", "198.51.100.6"))
  expect(countOf(statuses, 429)).toBe(2 * (100 - 60))
})

test("P14, A10: a flood from one address is refused, also when headers name others; its neighbour is served", async () => {
  const flood = (i: number) => setting("198.51.100.8", { "x-forwarded-for": `203.0.113.${i % 250}` })
  expect(countOf(await statusesOf(1_700, flood), 429)).toBe(200)
  expect((await setting("198.51.100.9")).status).toBe(200)
  site.clock.pass(1)
  expect(countOf(await statusesOf(350, flood), 429)).toBe(50)
})

test("this machine may be an unnamed proxy that stands for everybody, so it is not limited", async () => {
  expect(countOf(await statusesOf(1_700, () => setting("127.0.0.1")), 200)).toBe(1_700)
})
