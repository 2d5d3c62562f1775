import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

let site: TestApp

beforeAll(async () => {
  site = await openTestApp()
})

afterAll(async () => {
  await site.close()
})

const statusOf = (transaction: string, from: string) =>
  site.call("GET", `/api/v1/checkout/payment-status/${transaction}`, { from })
const setting = (from: string, headers: Record<string, string> = {}) =>
  site.call("GET", "/api/v1/public/settings/PLATFORM_NAME", { from, headers })

async function statusesOf(count: number, ask: (i: number) => ReturnType<typeof setting>): Promise<Set<number>> {
  const statuses = new Set<number>()
  for (let i = 0; i < count; i += 50) {
    const replies = await Promise.all(Array.from({ length: Math.min(50, count - i) }, (_, j) => ask(i + j)))
    for (const reply of replies) statuses.add(reply.status)
  }
  return statuses
}

test("P14: who asks for one payment without end is told to wait; 200 payers behind the same address are not", async () => {
  const office = "198.51.100.7"
  await statusesOf(400, () => statusOf("abused", office))
  const refused = await statusOf("abused", office)
  expect(refused.status).toBe(429)
  expect(refused.json).toEqual({
    status: "fail",
    message: "Muitas tentativas. Aguarde um pouco e tente novamente.",
    code: "too_many_requests",
  })
  expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1)
  expect(await statusesOf(600, (i) => statusOf(`payer-${i % 200}`, office))).toEqual(new Set([404]))
})

test("P14: a flood from one address is refused, whatever it asks for, and its neighbour is served", async () => {
  expect(await statusesOf(4_000, () => setting("198.51.100.8"))).toContain(429)
  expect((await setting("198.51.100.9")).status).toBe(200)
})

test("A10: another address in a header is the same address", async () => {
  const flood = await statusesOf(4_000, (i) => setting("198.51.100.10", { "x-forwarded-for": `203.0.113.${i % 250}` }))
  expect(flood).toContain(429)
})

test("this machine may be a proxy that nobody named: it is everybody, so it is not limited as one", async () => {
  expect(await statusesOf(3_000, () => setting("127.0.0.1"))).toEqual(new Set([200]))
})
