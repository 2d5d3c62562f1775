import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { ClockWish } from "./bank-process.ts"
import type { PayFigures, PayWish, WebhooksWish } from "./load-thread.ts"
import type { MixFigures, MixWish } from "./mixed-load.ts"

/** A bank that charges, pays and notifies, in a process of its own, so that its CPU is not counted. */
export interface Bank {
  pid: number
  url: string
  pay(wish: Omit<PayWish, "kind">): Promise<PayFigures>
  mix(wish: Omit<MixWish, "kind">): Promise<MixFigures>
  webhooksOf(wish: Omit<WebhooksWish, "kind">): Promise<string[]>
  moveClock(wish: Omit<ClockWish, "kind">): Promise<void>
  /** The number of requests answered so far. */
  asked(): Promise<{ asked: number; cpu: number }>
  stop(): void
}

const program = fileURLToPath(new URL("./bank-process.ts", import.meta.url))

export async function startBank(): Promise<Bank> {
  const child = fork(program, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  const waiting = new Map<number, { resolve(figures: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port))
    child.once("exit", () => reject(new Error("the bank didn't start")))
  })
  child.on("message", (message) => {
    const { id, figures, error } = message as { id: number; figures?: unknown; error?: string }
    if (error === undefined) waiting.get(id)?.resolve(figures)
    else waiting.get(id)?.reject(new Error(error))
    waiting.delete(id)
  })

  function ask<Figures>(wish: object): Promise<Figures> {
    const id = ++lastId
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve: (figures) => resolve(figures as Figures), reject })
      child.send({ id, wish })
    })
  }

  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    pay: (wish) => ask({ kind: "pay", ...wish }),
    mix: (wish) => ask({ kind: "mix", ...wish }),
    webhooksOf: (wish) => ask({ kind: "webhooks", ...wish }),
    moveClock: (wish) => ask({ kind: "clock", ...wish }),
    asked: () => ask({ kind: "asked" }),
    stop: () => child.disconnect(),
  }
}
