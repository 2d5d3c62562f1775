import { send, sendJson } from "../shop.ts"
import type { Market } from "./market.ts"

type Faults = Record<string, { probabilidade: number; valor?: number }>

/** Probability of each fault of the network and of the bank's servers: money and terms stay as agreed. */
export const contactFaults: Faults = {
  "timeout-antes": { probabilidade: 0.02 },
  "timeout-apos-aceitar": { probabilidade: 0.04 },
  indisponivel: { probabilidade: 0.02 },
  "erro-apos-aceitar": { probabilidade: 0.03 },
  "erro-html": { probabilidade: 0.01 },
  "json-cortado": { probabilidade: 0.01 },
  "nao-autorizado": { probabilidade: 0.005 },
  "muitas-requisicoes": { probabilidade: 0.003, valor: 1 },
  atraso: { probabilidade: 0.03, valor: 150 },
  "webhook-perdido": { probabilidade: 0.2 },
  "webhook-atrasado": { probabilidade: 0.1, valor: 2_000 },
  "webhook-repetido": { probabilidade: 0.1, valor: 3 },
  "webhook-fora-de-ordem": { probabilidade: 0.05 },
  "webhook-lista": { probabilidade: 0.1 },
  "webhook-sem-sufixo": { probabilidade: 0.05 },
}

const faults: Faults = {
  ...contactFaults,
  "paga-outro-valor": { probabilidade: 0.01, valor: 777 },
  "paga-duas-vezes": { probabilidade: 0.01 },
  "sem-txid": { probabilidade: 0.02 },
  "aceita-fora-do-prazo": { probabilidade: 0.3 },
  "devolucao-recusada": { probabilidade: 0.05 },
  "envio-recusado": { probabilidade: 0.05 },
  "envio-recusado-na-hora": { probabilidade: 0.03 },
}

type AtBank = Pick<Market, "installation">

const control = ({ installation }: AtBank) => `${installation.bankUrl}/simulador/api/controle`

/** Each fault draws from a random series of its own. */
export async function beginTrouble(market: AtBank, seed: number, chosen: Faults = faults): Promise<void> {
  await sendJson(control(market), "PUT", { liquidacaoMs: 200 })
  for (const [index, [tipo, fault]] of Object.entries(chosen).entries()) {
    const rule = { tipo, ...fault, semente: (seed + index * 7919) % 4_294_967_295 }
    const { status, body } = await sendJson(`${control(market)}/falhas`, "POST", rule)
    if (status !== 201) throw new Error(`the bank refused the fault ${tipo}: ${JSON.stringify(body)}`)
  }
}

/** Returns how often each fault hit. */
export async function endTrouble(market: AtBank): Promise<Map<string, number>> {
  const { body } = await send(`${control(market)}/falhas`)
  await send(`${control(market)}/falhas`, { method: "DELETE" })
  await sendJson(control(market), "PUT", { liquidacaoMs: 0 })
  const rules = body["falhas"] as { tipo: string; atingidas: number }[]
  return new Map(rules.map(({ tipo, atingidas }) => [tipo, atingidas]))
}
