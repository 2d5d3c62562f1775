import { afterEach, expect, test, vi } from "vitest"
import { keepSubscribed, pushedTo, subscribe } from "./push.ts"

afterEach(() => vi.unstubAllGlobals())

test("a device that hides amounts still does after its person signed in again", async () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  }
  const subscription = { toJSON: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "p", auth: "a" } }) }
  const pushManager = { subscribe: async () => subscription, getSubscription: async () => subscription }
  const sent: unknown[] = []
  vi.stubGlobal("localStorage", storage)
  vi.stubGlobal("sessionStorage", storage)
  vi.stubGlobal("window", { PushManager: {}, Notification: {} })
  vi.stubGlobal("navigator", { serviceWorker: { ready: Promise.resolve({ pushManager }) } })
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    if (body !== undefined) sent.push(JSON.parse(body as string))
    return Response.json({ data: { key: "k", subscription: {} } })
  })

  await keepSubscribed()
  await subscribe(true)
  await keepSubscribed()
  await subscribe(false)
  await keepSubscribed()
  const hidden = sent.map((body) => (body as { hideAmounts?: boolean }).hideAmounts)
  expect(hidden).toEqual([undefined, true, true, false, undefined])
})

test("a device is promised only what its person is told of", () => {
  for (const role of ["owner", "manager"] as const) expect(pushedTo({ role: "user" }, role)).toMatch(/na hora\.$/)
  for (const role of ["accountant", "cashier"] as const) {
    expect(pushedTo({ role: "user" }, role)).toContain("só a donos e gerentes")
  }
  expect(pushedTo({ role: "admin" }, "owner")).toContain("aprovação")
})
