import { type Cents, noMoney, pixValueFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { FaultName } from "@tilinta/simulator/fault-kinds"
import type { FaultSwitches } from "@tilinta/simulator/faults"
import * as z from "zod"

/** Actions of payers and of the bank itself at the simulator, over HTTP as everything there. */
export interface SandboxBank {
  /** False when the payer's bank refuses the code. */
  pay(pixCode: string): Promise<boolean>
  /**
   * A payment that fits no open code: late, duplicate, of another amount, or without any code. Returns its endToEndId.
   */
  receive(money: { txid: string | null; amountCents: Cents; note: string }): Promise<string>
  /** The payer's bank takes a payment back after a reported fraud. */
  takeBack(endToEndId: string, amountCents: Cents): Promise<void>
  /** Payers dispute a payment at their bank. Returns the bank's id of the dispute. */
  dispute(dispute: { endToEndId: string; situation: string; comment: string }): Promise<string>
  decideDispute(disputeId: string, status: "ACEITA" | "REJEITADA" | "CANCELADA_EFI"): Promise<void>
  /** A transfer out of the account that a person makes in the bank's own app. */
  transfer(amountCents: Cents): Promise<void>
  /** The fault hits everything that bears this name, from now on. */
  spoil(kind: FaultName, name: string): Promise<void>
  /** Switches faults on while the work runs. */
  during(faults: Partial<FaultSwitches>, work: () => Promise<void>): Promise<void>
}

const received = z.object({ endToEndId: z.string() })
const disputed = z.object({ idInfracao: z.string() })

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
    async dispute({ endToEndId, situation, comment }) {
      const opening = { endToEndId, tipoSituacao: situation, comentario: comment }
      return disputed.parse(await send("POST", "/infracoes", opening)).idInfracao
    },
    decideDispute: async (disputeId, status) => void (await send("PUT", `/infracoes/${disputeId}`, { status })),
    transfer: async (amountCents) =>
      void (await send("POST", "/controle/lancamentos", { centavos: subtractCents(noMoney, amountCents) })),
    spoil: async (kind, name) => void (await send("POST", "/controle/falhas", { tipo: kind, alvo: name })),
    async during(faults, work) {
      await send("PUT", "/controle", faults)
      await work()
      await send("PUT", "/controle", well)
    },
  }
}

/** Null when the bank refuses; any other failure is our bug. */
async function ask(url: string, method: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok && answer.status !== 422) throw new Error(`the simulator answered ${answer.status}: ${text}`)
  return answer.ok ? JSON.parse(text) : null
}
