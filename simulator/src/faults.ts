import { z } from "zod"
import { type FaultName, faultKinds, faultNames, type Operation, operations, valueOf } from "./fault-kinds.ts"
import type { SettingsBook } from "./payout-books.ts"

export const faultSwitches = z.strictObject({
  webhooksAtivos: z.boolean(),
  atrasoMs: z.int().min(0).max(600_000),
  falhaApi: z.enum(["indisponivel", "timeout-apos-aceitar", "timeout-antes"]).nullable(),
  /** Every payout is refused, definitively. */
  pagamentosRecusados: z.boolean(),
  /** Every refund that a client asks for is refused, definitively. */
  devolucoesRecusadas: z.boolean(),
  /** Time that a payout or a refund stays under way. */
  liquidacaoMs: z.int().min(0).max(600_000),
})

export type FaultSwitches = z.infer<typeof faultSwitches>

const allWell: FaultSwitches = {
  webhooksAtivos: true,
  atrasoMs: 0,
  falhaApi: null,
  pagamentosRecusados: false,
  devolucoesRecusadas: false,
  liquidacaoMs: 300,
}

export type Faults = {
  current(): FaultSwitches
  change(changes: Partial<FaultSwitches>): FaultSwitches
}

/** The fault switches of the bank, kept across restarts. */
export function openFaults(settings: SettingsBook): Faults {
  const stored = settings.find("faults")
  let current = stored === undefined ? allWell : { ...allWell, ...(JSON.parse(stored) as Partial<FaultSwitches>) }
  return {
    current: () => current,
    change(changes) {
      current = { ...current, ...changes }
      settings.store("faults", JSON.stringify(current))
      return current
    },
  }
}

export const newFaultRule = z
  .strictObject({
    tipo: z.enum(faultNames),
    operacoes: z.array(z.enum(operations)).min(1).optional(),
    metodo: z.enum(["GET", "PUT", "PATCH", "POST", "DELETE"]).optional(),
    /** Limits the fault to this name: a txid, an endToEndId, an idEnvio, a charge's text or the paid key. */
    alvo: z.string().min(1).max(200).optional(),
    /** Limits the fault to this many calls. */
    vezes: z.int().min(1).max(1_000_000).optional(),
    probabilidade: z.number().gt(0).max(1).default(1),
    /** The same seed hits the same calls of a series. */
    semente: z.int().min(0).max(4_294_967_295).default(1),
    valor: z.int().min(0).optional(),
  })
  .refine(({ tipo, valor }) => valor === undefined || valor <= (valueOf(tipo)?.maximo ?? -1), {
    message: "este tipo não tem valor, ou ele é grande demais",
    path: ["valor"],
  })
  .refine(({ tipo, operacoes, metodo }) => faultKinds[tipo].porOperacao || (operacoes ?? metodo) === undefined, {
    message: "este tipo não se limita a operações",
    path: ["operacoes"],
  })

export type FaultRule = z.output<typeof newFaultRule> & { id: number; atingidas: number; sorteios: number }

/** A call or notice that a fault may hit. */
export type Occasion = { names: ReadonlySet<string>; operation?: Operation | undefined; method?: string | undefined }

export type FaultRules = {
  all(): FaultRule[]
  add(rule: z.output<typeof newFaultRule>): FaultRule
  remove(id: number): boolean
  clear(): void
  isEmpty(): boolean
  /** The fault's value if one of its rules hits; each call draws once. */
  strike(kind: FaultName, occasion: Occasion): number | undefined
}

/**
 * Faults limited by rules: each rule says what it hits, how often and how likely, and is stored with its remaining
 * count.
 */
export function openFaultRules(settings: SettingsBook): FaultRules {
  let rules = JSON.parse(settings.find("faultRules") ?? "[]") as FaultRule[]
  // Rule ids are never reused, so that deleting a rule twice can't delete another one.
  let lastId = Number(settings.find("lastFaultRule") ?? Math.max(0, ...rules.map(({ id }) => id)))
  const store = () => settings.store("faultRules", JSON.stringify(rules))

  function isStruck(rule: FaultRule): boolean {
    if (rule.probabilidade === 1) return true
    rule.sorteios += 1
    return seededChance(rule.semente, rule.sorteios) < rule.probabilidade
  }

  return {
    all: () => rules,
    add(rule) {
      lastId += 1
      settings.store("lastFaultRule", String(lastId))
      const added = { ...rule, id: lastId, atingidas: 0, sorteios: 0 }
      rules.push(added)
      store()
      return added
    },
    remove(id) {
      const before = rules.length
      rules = rules.filter((rule) => rule.id !== id)
      store()
      return rules.length < before
    },
    clear() {
      rules = []
      store()
    },
    isEmpty: () => rules.length === 0,
    strike(kind, occasion) {
      const candidates = rules.filter((rule) => rule.tipo === kind && isMeant(rule, occasion))
      const struck = candidates.find(isStruck)
      if (struck !== undefined) struck.atingidas += 1
      if (candidates.length > 0) store()
      return struck && (struck.valor ?? valueOf(kind)?.padrao ?? 0)
    },
  }
}

function isMeant({ operacoes, metodo, alvo, vezes, atingidas }: FaultRule, occasion: Occasion): boolean {
  if (vezes !== undefined && atingidas >= vezes) return false
  if (metodo !== undefined && metodo !== occasion.method) return false
  if (operacoes !== undefined && (occasion.operation === undefined || !operacoes.includes(occasion.operation)))
    return false
  return alvo === undefined || occasion.names.has(alvo)
}

/** A draw from a seed's series, in [0, 1): always the same for the same seed and number (mulberry32). */
export function seededChance(seed: number, draw: number): number {
  let state = (seed + Math.imul(draw + 1, 0x6d2b79f5)) | 0
  state = Math.imul(state ^ (state >>> 15), state | 1)
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61)
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
}
