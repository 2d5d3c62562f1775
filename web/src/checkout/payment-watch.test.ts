import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { inSteps, oncePainted, type PaymentWatch, watchPayment } from "./payment-watch.ts"

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

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test("each step is done once and in its order, also when a step asks for the next one", () => {
  const done: string[] = []
  const wake = inSteps(
    () => {
      done.push("memory")
      wake(2)
    },
    () => done.push("page"),
  )
  wake(1)
  wake(1)
  wake(2)
  expect(done).toEqual(["memory", "page"])
})

test("asking for the last step runs those before it", () => {
  const done: string[] = []
  const wake = inSteps(
    () => done.push("memory"),
    () => done.push("page"),
  )
  wake(2)
  wake(1)
  expect(done).toEqual(["memory", "page"])
})

test("what waits for a paint is done once after it, and also on a page that is never painted", () => {
  vi.useFakeTimers()
  const frames: (() => void)[] = []
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame))
  const done: string[] = []
  oncePainted(() => done.push("seen"))
  frames[0]?.()
  expect(done).toEqual([])
  vi.advanceTimersByTime(0)
  expect(done).toEqual(["seen"])
  oncePainted(() => done.push("hidden"))
  vi.advanceTimersByTime(1_000)
  frames[1]?.()
  vi.advanceTimersByTime(1_000)
  expect(done).toEqual(["seen", "hidden"])
})
