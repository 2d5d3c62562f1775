import type { FastifyInstance } from "fastify"
import { z } from "zod"
import { type Debit, type Journey, occasionOf, payerChange, type Recurrence } from "./automatic-books.ts"
import type { Bank } from "./bank.ts"
import { centsFromValor, valorFromCents } from "./books.ts"
import type { Payment } from "./charge-books.ts"
import { cancelDebit, liveDebitsOf, playDebits, toDebit } from "./debits.ts"
import { dayOf, valor } from "./due-charge-books.ts"
import { bodyOf, RequestRefused } from "./occasions.ts"
import { addressesIn, PaymentRefused, payCode } from "./payments.ts"
import { asSeen, cancellation, changeRecurrence } from "./recurrences.ts"

/** The payer's side of recurrences: the simulator's own, in no standard. */
export function payerRoutes(app: FastifyInstance, bank: Bank): void {
  const answered = (path: string, answer: (recurrence: Recurrence, request: { body: unknown }) => Recurrence) =>
    app.post<{ Params: { idRec: string } }>(`/recorrencias/:idRec/${path}`, async (request) => {
      const changed = await bank.books.write(() => answer(byId(bank, request.params.idRec), request))
      bank.delivery.wake()
      return shortened(changed)
    })
  const isCalled = ({ id }: Recurrence) =>
    bank.automatic.calls.ofRecurrence(id).some(({ status }) => status === "CRIADA")
  answered("autorizar", (recurrence) => approve(bank, recurrence, isCalled(recurrence) ? "JORNADA_1" : "JORNADA_2"))
  answered("recusar", (recurrence) => {
    refuseUnless(recurrence, ["CRIADA"])
    const rejeicao = { codigo: "AP13", descricao: "Rejeitada pelo usuário pagador" }
    return changeRecurrence(bank, recurrence, "REJEITADA", { encerramento: { rejeicao } })
  })
  answered("cancelar", (recurrence, { body }) => {
    refuseUnless(recurrence, ["CRIADA", "APROVADA"])
    const { solicitante, codigo } = end.parse(body ?? {})
    return changeRecurrence(bank, recurrence, "CANCELADA", { encerramento: cancellation(solicitante, codigo) })
  })

  app.put<{ Params: { idRec: string } }>("/recorrencias/:idRec/teto", async (request) => {
    const ceilingCents = centsFromValor(bodyOf(request, z.strictObject({ valor })).valor) ?? 0
    const recurrence = byId(bank, request.params.idRec)
    const least = centsFromValor(recurrence.valor?.valorMinimoRecebedor ?? "0.00") ?? 0
    if (ceilingCents < least) throw new PaymentRefused(`O teto não pode ficar abaixo de ${valorFromCents(least)}.`)
    return shortened(await bank.books.write(() => bank.automatic.recurrences.store({ ...recurrence, ceilingCents })))
  })

  app.post<{ Params: { txid: string } }>("/debitos/:txid/cancelar", async ({ params }) => {
    const cancelled = await bank.books.write(() => {
      const debit = bank.automatic.debits.find(params.txid)
      const isLive = debit && liveDebitsOf(bank, debit.recurrenceId).some(({ id }) => id === debit.id)
      if (!isLive || debit.day <= dayOf(bank.clock.now())) {
        throw new RequestRefused(404, "Nenhum débito deste identificador pode ser cancelado.")
      }
      return cancelDebit(bank, debit, { solicitante: "USUARIO_PAGADOR", codigo: "SLBD" })
    })
    bank.delivery.wake()
    return toDebit(bank, cancelled)
  })

  app.get("/controle/pagador", async () => bank.automatic.payer())

  app.put("/controle/pagador", async (request) => {
    const change = bodyOf(request, payerChange)
    await playDebits(bank)
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    await bank.books.write(() => bank.automatic.changePayer(given))
    return bank.automatic.payer()
  })
}

const end = z.strictObject({
  solicitante: z
    .enum(["PSP_PAGADOR", "USUARIO_PAGADOR", "PSP_RECEBEDOR", "USUARIO_RECEBEDOR"])
    .default("USUARIO_PAGADOR"),
  codigo: z
    .string()
    .regex(/^[A-Z0-9]{4}$/)
    .default("SLDB"),
})

function byId(bank: Bank, id: string): Recurrence {
  const recurrence = bank.automatic.recurrences.find(id)
  if (recurrence === undefined) throw new RequestRefused(404, "Nenhuma recorrência tem este identificador.")
  return asSeen(bank, recurrence)
}

function refuseUnless({ status }: Recurrence, allowed: Recurrence["status"][]): void {
  if (!allowed.includes(status)) throw new PaymentRefused(`Esta recorrência já está ${status}.`)
}

function approve(bank: Bank, recurrence: Recurrence, tipoJornada: Journey): Recurrence {
  refuseUnless(recurrence, ["CRIADA"])
  return changeRecurrence(bank, recurrence, "APROVADA", { tipoJornada })
}

/** Pays what the code asks, and authorises the recurrence that it names. */
export async function obeyCode(bank: Bank, pixCode: string, payerNote: string | null) {
  const { url, urlRec } = addressesIn(pixCode)
  const recurrence = urlRec === undefined ? undefined : recurrenceAt(bank, urlRec)
  if (recurrence === undefined) return { payment: await payCode(bank, pixCode, payerNote) }
  refuseUnless(recurrence, ["CRIADA"])
  const strike = (kind: "paga-sem-autorizar" | "autoriza-sem-pagar") =>
    bank.faultRules.strike(kind, occasionOf(recurrence)) !== undefined
  const isPaid = url !== undefined && !strike("autoriza-sem-pagar")
  const payment: Payment | undefined = isPaid ? await payCode(bank, pixCode, payerNote) : undefined
  if (url !== undefined && strike("paga-sem-autorizar")) return { payment }
  const isDue = url !== undefined && bank.dueCharges.findByLocation(url) !== undefined
  const journey = url === undefined ? "JORNADA_2" : isDue ? "JORNADA_4" : "JORNADA_3"
  const approved = await bank.books.write(() => approve(bank, byId(bank, recurrence.id), journey))
  bank.delivery.wake()
  return { payment, recurrence: shortened(approved) }
}

/** The recurrence of a code, as the payer's bank shows it. */
export function readRecurrence(bank: Bank, pixCode: string) {
  const { url, urlRec } = addressesIn(pixCode)
  if (urlRec === undefined) return undefined
  const { vinculo, calendario, valor: amount, status, id } = recurrenceAt(bank, urlRec)
  const shown = amount?.valorRec ?? amount?.valorMinimoRecebedor
  const inReais = shown === undefined ? "o valor de cada mês" : `R$ ${shown.replace(".", ",")}`
  const rows = [
    { nome: "Autoriza débitos de", valor: `${inReais}, ${calendario.periodicidade.toLowerCase()}` },
    { nome: "A partir de", valor: calendario.dataInicial.split("-").toReversed().join("/") },
    { nome: "Contrato", valor: vinculo.contrato },
    { nome: "Objeto", valor: vinculo.objeto ?? "" },
  ]
  return { isAlone: url === undefined, id, status, rows }
}

function recurrenceAt(bank: Bank, location: string): Recurrence {
  const id = bank.automatic.locations.findByAlias(location)?.recurrenceId
  const recurrence = id ? bank.automatic.recurrences.find(id) : undefined
  if (recurrence !== undefined) return asSeen(bank, recurrence)
  throw new PaymentRefused("Recorrência não encontrada: este código não foi criado neste simulador.")
}

function shortened({ id, status, tipoJornada, ceilingCents }: Recurrence) {
  return { idRec: id, status, tipoJornada, ...(ceilingCents !== null && { teto: valorFromCents(ceilingCents) }) }
}

/** For the page of the books. */
export function automaticBooksOf(bank: Bank, newest: number) {
  return {
    recorrencias: bank.automatic.recurrences.newest(newest).map((each) => {
      const { vinculo, valor: amount, calendario, createdAt } = each
      const criacao = new Date(createdAt).toISOString()
      return { ...shortened(asSeen(bank, each)), vinculo, valor: amount?.valorRec ?? null, calendario, criacao }
    }),
    debitos: bank.automatic.debits.newest(newest).map((debit: Debit) => toDebit(bank, debit)),
  }
}
