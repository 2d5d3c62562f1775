import type { FaultSwitches } from "@tilinta/simulator/faults"
import * as z from "zod"
import { type Cents, pixValueFromCents } from "#kit/money"

/** What payers and the bank itself do at the simulator, asked for over HTTP like everything else there. */
export interface SandboxBank {
  /** False when the payer's bank refuses the code. */
  pay(pixCode: string): Promise<boolean>
  /** Money that no code asked for, or no longer: too late, twice, another amount, for nothing. Answers its endToEndId. */
  receive(money: { txid: string | null; amountCents: Cents; note: string }): Promise<string>
  /** The payer's bank takes a payment back: a fraud was reported. */
  takeBack(endToEndId: string, amountCents: Cents): Promise<void>
  /** The bank's faults, for as long as the work lasts. */
  during(faults: Partial<FaultSwitches>, work: () => Promise<void>): Promise<void>
}

const received = z.object({ endToEndId: z.string() })

const well = {
  falhaApi: null,
  pagamentosRecusados: false,
  devolucoesRecusadas: false,
  liquidacaoMs: 300,
} satisfies Partial<FaultSwitches>

export function openSandboxBank(url: string): SandboxBank {
  const send = (method: "POST" | "PUT", path: string, body: object) => ask(`${url}/simulador/api${path}`, method, body)
  return {
    pay: async (pixCode) => (await send("POST", "/pagamentos", { pixCopiaECola: pixCode })) !== null,
    async receive({ txid, amountCents, note }) {
      const valor = pixValueFromCents(amountCents)
      const stray = await send("POST", "/recebimentos", { valor, ...(txid !== null && { txid }), infoPagador: note })
      return received.parse(stray).endToEndId
    },
    async takeBack(endToEndId, amountCents) {
      const valor = pixValueFromCents(amountCents)
      await send("POST", "/devolucoes", { endToEndId, valor, natureza: "MED_FRAUDE" })
    },
    async during(faults, work) {
      await send("PUT", "/controle", faults)
      await work()
      await send("PUT", "/controle", well)
    },
  }
}

/** Null for the bank's refusal; anything else but a yes is our mistake. */
async function ask(url: string, method: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok && answer.status !== 422) throw new Error(`the simulator answered ${answer.status}: ${text}`)
  return answer.ok ? JSON.parse(text) : null
}
