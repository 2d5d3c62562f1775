import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import { newTxid } from "../../../server/src/kit/ids.ts"
import { createLog } from "../../../server/src/kit/log.ts"
import { connectSimulator } from "../../../server/src/psp/connect-psp.ts"
import type { CallWish } from "./call-bank.ts"

process.once("message", ({ bankUrl, calls, atOnce }: CallWish & { bankUrl: string }) => {
  const client = { clientId: "tilinta", clientSecret: "tilinta-sandbox", receiverKey: "bench@bank.example" }
  const psp = connectSimulator({ url: bankUrl, ...client }, createLog("silent"))

  async function call(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const asked = { amountCents: centsFromReais(100), expiresInSeconds: 3600, description: "Mentoria" }
      await psp.createCharge({ ...asked, txid: newTxid(new Date()) })
    }
  }
  async function callers(times: number): Promise<void> {
    await Promise.all(Array.from({ length: atOnce }, () => call(times)))
  }

  async function measure(): Promise<void> {
    const times = Math.ceil(calls / atOnce)
    await callers(times)
    const before = process.cpuUsage()
    await callers(times)
    const { user, system } = process.cpuUsage(before)
    process.send?.((user + system) / (times * atOnce))
  }
  void measure()
})
process.on("disconnect", () => process.exit(0))
