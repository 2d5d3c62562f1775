import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type PaymentWatch, watchPayment } from "./payment-watch.ts"

class FakeStream extends EventTarget {
  static last: FakeStream
  isClosed = false
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
    FakeStream.last = this
  }

  close(): void {
    this.isClosed = true
  }
}

let page: EventTarget & { hidden?: boolean }
let view: EventTarget
let asked: string[]
let answer: () => Promise<Response>
let read: string[]
let watch: PaymentWatch

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  view = new EventTarget()
  asked = []
  read = []
  answer = async () => Response.json({ data: { status: "pendente" } })
  vi.stubGlobal("document", page)
  vi.stubGlobal("addEventListener", view.addEventListener.bind(view))
  vi.stubGlobal("EventSource", FakeStream)
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url)
    return answer()
  })
  vi.spyOn(console, "warn").mockImplementation(() => {})
  watch = watchPayment("tx1?k=k1", (status) => read.push(status))
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test("the status is asked for every 3 seconds", async () => {
  await vi.advanceTimersByTimeAsync(9100)
  expect(asked).toEqual(Array(3).fill("/api/v1/checkout/payment-status/tx1?k=k1"))
  expect(read).toEqual(["pendente", "pendente", "pendente"])
})

test("no error ends the asking", async () => {
  answer = () => Promise.reject(new TypeError("network"))
  await vi.advanceTimersByTimeAsync(3000)
  answer = async () => Response.json({ message: "trouble" }, { status: 500 })
  await vi.advanceTimersByTimeAsync(3000)
  answer = async () => Response.json({ data: { status: "pago" } })
  await vi.advanceTimersByTimeAsync(3000)
  expect(read).toEqual(["pago"])
  expect(console.warn).toHaveBeenCalledTimes(2)
})

test("a payer who comes back doesn't wait for the tick", async () => {
  view.dispatchEvent(new Event("online"))
  view.dispatchEvent(new Event("pageshow"))
  page.dispatchEvent(new Event("visibilitychange"))
  expect(asked).toHaveLength(3)
  page.hidden = true
  page.dispatchEvent(new Event("visibilitychange"))
  expect(asked).toHaveLength(3)
})

test("the stream reports a payment at once", () => {
  expect(FakeStream.last.url).toBe("/api/v1/checkout/payment-status/tx1/stream?k=k1")
  FakeStream.last.dispatchEvent(new MessageEvent("status", { data: '{"status":"pago"}' }))
  expect(read).toEqual(["pago"])
})

test("nothing is asked after the end", async () => {
  watch.stop()
  view.dispatchEvent(new Event("online"))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toEqual([])
  expect(FakeStream.last.isClosed).toBe(true)
})
