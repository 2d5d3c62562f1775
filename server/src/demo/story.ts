import type { CustomerInfoBody } from "@tilinta/contract/payments"
import { type Cents, noMoney, pixValueFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { FaultName } from "@tilinta/simulator/fault-kinds"
import { type FaultSwitches, seededChance } from "@tilinta/simulator/faults"
import * as z from "zod"
import type { SoleDb } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import type { Actor } from "#platform/audit/rules"
import type { OpeningCounter } from "#platform/system/node"
import type { ProviderDeps } from "#selling/charges/open"
import type { DemoSeller } from "./sellers.ts"

/** Nobody here has a second factor. */
export function noSecrets(): never {
  throw new Error("the demo asks for a secret")
}

/** The context shared by all parts of the story. */
export interface Story {
  /** Dependencies of the domain's verbs, with the agenda's clock. */
  deps: ProviderDeps & { db: SoleDb; protection: Protection }
  agenda: Agenda
  luck: Luck
  bank: SandboxBank
  openings: OpeningCounter
  admin: Actor
  password: string
  payersUrl: string
  /** Writes the notices and mails of what was paid, which a job does within seconds. */
  notifyOfSales: () => Promise<void>
  start: Date
  end: Date
}

/** A registered seller. */
export interface Shop {
  seller: DemoSeller
  actor: Actor
  pages: ShopPage[]
  /** Numbers them, as the titles of a seller's orders are few. */
  orders: number
}

export interface ShopPage {
  id: string
  asks: DemoSeller["pages"][number]["asks"]
}

const minuteMs = 60_000

export function minutesAfter(moment: Date, minutes: number): Date {
  return new Date(moment.getTime() + minutes * minuteMs)
}

const dayMs = 24 * 60 * minuteMs
/** Days in the story are numbers out of this many; a shorter history is the same one, compressed. */
const wholeDays = 90

/** Midnight, so many days after the beginning. */
export function dayOf({ start, end }: Pick<Story, "start" | "end">, day: number): Date {
  const days = Math.round((end.getTime() - start.getTime()) / dayMs)
  return new Date(start.getTime() + Math.floor((day * days) / wholeDays) * dayMs)
}

/** So many days before the end. */
export function daysBefore({ start, end }: Pick<Story, "start" | "end">, days: number): Date {
  return new Date(end.getTime() - ((end.getTime() - start.getTime()) * days) / wholeDays)
}

export function hoursBefore(moment: Date, hours: number): Date {
  return minutesAfter(moment, -60 * hours)
}

/** The same time, or the next morning when it is outside office hours. */
export function inOfficeHours(moment: Date): Date {
  const minute = (moment.getUTCHours() * 60 + moment.getUTCMinutes() + 21 * 60) % (24 * 60)
  const [opens, closes] = [9 * 60, 18 * 60]
  if (minute < opens) return minutesAfter(moment, opens - minute + (minute % 50))
  return minute < closes ? moment : minutesAfter(moment, 24 * 60 + opens - minute + (minute % 50))
}

/** Null for a DomainError: people also try what is no longer possible. */
export async function unlessRefused<Result>(attempt: Promise<Result>): Promise<Result | null> {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

type Work = () => Promise<void>

/** A simulated past: events run in chronological order, and each may plan later ones. */
export interface Agenda {
  /** Shows the time of the current event. */
  clock: Clock
  /** Plans an event. A past time runs it at once; a time after the end never does. */
  plan(at: Date, work: Work): void
  /** Runs everything that is planned, up to the end. */
  run(): Promise<void>
}

interface Bounds {
  start: Date
  end: Date
  /** Stops before the next event when aborted. */
  signal: AbortSignal
}

export function createAgenda({ start, end, signal }: Bounds): Agenda {
  /** Sorted latest first, so that the next one is popped from the tail. */
  const planned: { at: Date; work: Work }[] = []
  let now = start

  function plan(at: Date, work: Work): void {
    if (at > end) return
    let index = planned.length
    for (let next = planned[index - 1]; next !== undefined && next.at <= at; next = planned[index - 1]) index -= 1
    planned.splice(index, 0, { at, work })
  }

  return {
    clock: { now: () => now },
    plan,
    async run() {
      for (let next = planned.pop(); next !== undefined; next = planned.pop()) {
        signal.throwIfAborted()
        if (next.at > now) now = next.at
        await next.work()
      }
      now = end
    },
  }
}

/** Seeded, so that every demonstration shows the same data. */
interface Luck {
  /** In [0, 1). */
  next(): number
  /** An integer, both ends inclusive. */
  between(least: number, most: number): number
  isTrue(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function createLuck(seed: number): Luck {
  let draws = 0
  const next = () => seededChance(seed, draws++)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    isTrue: (probability) => next() < probability,
    pick(items) {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new RangeError("nothing to pick from")
      return item
    },
  }
}

const firstNames = (
  "Adriana Aline Antônio Bianca Bruno Caio Carolina Cláudia Daniel Débora Diego Eduardo Elaine Fábio " +
  "Felipe Flávia Gabriel Giovana Gustavo Henrique Igor Isabela Jéssica José Juliana Larissa Leonardo " +
  "Letícia Lucas Luiz Márcia Marcelo Mateus Natália Otávio Paulo Priscila Renata Ricardo Rodrigo Sandra " +
  "Sérgio Simone Tatiane Vanessa Vera Vinícius Viviane Wagner Yasmin"
).split(" ")

const lastNames = (
  "Albuquerque Almeida Araújo Azevedo Batista Campos Cardoso Carvalho Correia Costa Dias Freitas Garcia " +
  "Gonçalves Lopes Macedo Machado Mendes Monteiro Moraes Nascimento Nunes Oliveira Pacheco Peixoto " +
  "Pereira Pinheiro Ramos Ribeiro Santana Santos Silva Silveira Soares Tavares Vasconcelos Viana Vieira " +
  "Xavier Zanetti"
).split(" ")

const areaCodes = "11 19 21 31 41 48 51 61 62 71 81 85".split(" ")

/** A payer with a name, an e-mail address that can't exist and a CPF with valid check digits. */
export function invitePayer(luck: Luck): Required<Omit<CustomerInfoBody, "cnpj">> {
  const [first, last] = [luck.pick(firstNames), luck.pick(lastNames)]
  const plain = `${first}.${last}`.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  const digits = (count: number) => Array.from({ length: count }, () => luck.between(0, 9)).join("")
  return {
    name: `${first} ${last}`,
    email: `${plain}@correio.example`,
    cpf: cpfOf(`${luck.between(1, 8)}${digits(8)}`),
    phone: `${luck.pick(areaCodes)}9${luck.between(6, 9)}${digits(7)}`,
  }
}

/** Appends the two check digits to nine digits. */
export function cpfOf(nine: string): string {
  const withFirst = nine + checkDigit(nine)
  return withFirst + checkDigit(withFirst)
}

function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0)
  return ((sum * 10) % 11) % 10
}

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
  /** A customer withdraws their authorisation. */
  cancelRecurrence(recurrenceId: string): Promise<void>
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
    cancelRecurrence: async (id) => void (await send("POST", `/recorrencias/${id}/cancelar`, {})),
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
