import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Heard, PayersWish } from "./stream-payers.ts"

export interface WaitingPayers {
  open(port: number, count: number): Promise<void>
  close(): Promise<void>
  heard(): Promise<Heard>
  stop(): void
}

const program = fileURLToPath(new URL("./stream-payers.ts", import.meta.url))
const spare = 500

export function startPayers(count: number): WaitingPayers {
  const limit = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1])
  if (limit < count + spare) {
    throw new Error(`${count} streams need ${count + spare} open files a process, and ${limit} are allowed: ulimit -n`)
  }
  const child = fork(program, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  const waiting = new Map<number, { resolve(heard: Heard | null): void; reject(error: Error): void }>()
  let lastId = 0
  child.on("message", (message) => {
    const { id, heard, error } = message as { id: number; heard?: Heard | null; error?: string }
    if (error === undefined) waiting.get(id)?.resolve(heard ?? null)
    else waiting.get(id)?.reject(new Error(error))
    waiting.delete(id)
  })

  function ask(wish: PayersWish): Promise<Heard | null> {
    lastId += 1
    const id = lastId
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      child.send({ id, wish })
    })
  }

  return {
    open: async (port, many) => void (await ask({ kind: "open", port, count: many })),
    close: async () => void (await ask({ kind: "close" })),
    async heard() {
      return (await ask({ kind: "heard" })) ?? { open: 0, paidAtMs: [] }
    },
    stop: () => void child.kill(),
  }
}
