import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { cpuSeconds } from "../process-figures.ts"
import { startBankServer } from "./bank-server.ts"
import type { LoadWish } from "./load-thread.ts"
import { createReceipts, receiptsMemory } from "./receipts.ts"

/** How far the bank's clock is ahead, which also says when a seller's webhook is due again. */
export interface ClockWish {
  kind: "clock"
  aheadMs: number
}

type BankWish = LoadWish | ClockWish | { kind: "asked" }

const memory = receiptsMemory()
const bank = await startBankServer(createReceipts(memory))
const load = new Worker(fileURLToPath(new URL("./load-thread.ts", import.meta.url)), { workerData: memory })
load.on("message", (answer: object) => process.send?.(answer))
process.send?.({ port: bank.port })
process.on("message", ({ id, wish }: { id: number; wish: BankWish }) => {
  if (wish.kind === "asked") process.send?.({ id, figures: { asked: bank.asked(), cpu: cpuSeconds(process.pid) } })
  else if (wish.kind === "clock") {
    bank.moveClock(wish.aheadMs)
    process.send?.({ id, figures: {} })
  } else load.postMessage({ id, wish })
})
process.on("disconnect", () => process.exit(0))
