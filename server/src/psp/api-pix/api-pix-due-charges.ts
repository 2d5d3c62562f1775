import {
  adjustedDueDay,
  type Day,
  type DueTerms,
  daysBetween,
  lastDayOf,
  type Share,
} from "@tilinta/contract/vocabulary/due-amount"
import { type Cents, pixValueFromCents } from "@tilinta/contract/vocabulary/money"
import * as z from "zod/mini"
import { failureOf, kindOfRefusal } from "#psp/bounded-http"
import { type PspDebtor, type PspDueChargeRequest, type PspDueCharges, PspError } from "#psp/psp"
import { type Charge, findCharge, isOurKey, pixCodeOf, type Receiver, readCharge } from "./api-pix-charges.ts"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import type { PartOfTerms } from "./api-pix-schemas.ts"
import { readValue } from "./list-pages.ts"
import { checked, key, shownText, txidSchema, value } from "./token.ts"

/** `/cobv`: one code, whose amount the bank computes on the day of payment. */
export function dueChargesOf(client: ApiPixClient, receiver: Receiver): PspDueCharges {
  return {
    needsAddress: false,
    async create(request) {
      const { body, txid } = bodyOf(receiver, request)
      const answer = await client.request("PUT", `/cobv/${txid}`, checked(dueChargeRequest, body))
      const isCreated = answer.status === 200 || answer.status === 201
      if (answer.status === 403 && kindOfRefusal(answer.body) === "AcessoNegado")
        throw rejected(failureOf(answer).message)
      // As for other charges: some banks refuse a repeated PUT.
      const charge = isCreated ? readCharge(answer) : answer.status < 500 ? await findCharge(client, txid) : null
      if (charge === null) throw failureOf(answer)
      requireMeant(charge, request, receiver)
      if (charge.status !== "ATIVA") throw rejected(`the charge is ${charge.status}`)
      if (!hasTerms(charge, body, { isAfter: true })) throw rejected("the charge exists with other terms")
      return { pixCode: pixCodeOf(charge, receiver) }
    },
    async revise(request) {
      const { body, txid } = bodyOf(receiver, request)
      const before = await findCharge(client, txid)
      if (before === null) return "ended"
      const known = outcomeOf(before, body, { isAfter: false })
      if (known !== null) return known
      const { chave: _, ...changes } = checked(dueChargeRequest, body)
      const valor = { ...removalsOf(before, body), ...changes.valor }
      const answer = await client.request("PATCH", `/cobv/${txid}`, { ...changes, valor })
      if (answer.status >= 500 || answer.status === 429) throw failureOf(answer)
      // Whatever the answer was, the charge itself says what it asks now.
      const after = await findCharge(client, txid)
      const outcome = after === null ? "ended" : outcomeOf(after, body, { isAfter: answer.status < 300 })
      if (outcome === null) throw rejected(failureOf(answer).message)
      return outcome
    },
  }
}

const rejected = (message: string) => new PspError("rejected", message)

interface Reading {
  /** The bank has taken the request: a part that its answer leaves out is as requested. Before that, there is none. */
  isAfter: boolean
}

function outcomeOf(charge: Charge, body: Body, reading: Reading): "revised" | "paid" | "ended" | null {
  if (charge.status === "CONCLUIDA") return "paid"
  if (charge.status !== "ATIVA") return "ended"
  return hasTerms(charge, body, reading) ? "revised" : null
}

const kindsOfPart = ["multa", "juros", "desconto"] as const

/** A PATCH leaves alone what it doesn't name; `null` removes (bacen/pix-api#281). */
function removalsOf({ valor }: Charge, body: Body): Record<string, null> {
  const removed = kindsOfPart.filter((kind) => partText(valor[kind]) !== "" && body.valor[kind] === undefined)
  return Object.fromEntries(removed.map((kind) => [kind, null]))
}

function requireMeant({ txid, chave }: Charge, request: PspDueChargeRequest, receiver: Receiver): void {
  if (txid !== request.txid) throw rejected("the provider answered another txid")
  if (!isOurKey(chave, receiver.key)) throw rejected("the charge is for another Pix key")
}

const calendarDay = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))
const part = (most: number) => z.strictObject({ modalidade: z.int().check(z.gte(1), z.lte(most)), valorPerc: value })
const line = (most: number) => z.optional(z.string().check(z.minLength(1), z.maxLength(most)))

const dueChargeRequest = z.strictObject({
  calendario: z.strictObject({ dataDeVencimento: calendarDay, validadeAposVencimento: z.int().check(z.gte(0)) }),
  devedor: z.strictObject({
    cpf: z.optional(z.string().check(z.regex(/^\d{11}$/))),
    cnpj: z.optional(z.string().check(z.regex(/^[0-9A-Z]{14}$/))),
    nome: z.string().check(z.minLength(1), z.maxLength(200)),
    logradouro: line(200),
    cidade: line(200),
    uf: line(2),
    cep: line(8),
  }),
  valor: z.strictObject({
    original: value,
    multa: z.optional(part(2)),
    juros: z.optional(part(8)),
    desconto: z.optional(
      z.strictObject({
        modalidade: z.int().check(z.gte(1), z.lte(2)),
        descontoDataFixa: z
          .array(z.strictObject({ data: calendarDay, valorPerc: value }))
          .check(z.minLength(1), z.maxLength(3)),
      }),
    ),
  }),
  chave: key,
  solicitacaoPagador: line(140),
  infoAdicionais: z.optional(z.array(z.strictObject({ nome: z.string(), valor: z.string() }))),
})
type Body = z.infer<typeof dueChargeRequest>

function bodyOf(
  receiver: Receiver,
  { txid, terms, debtor, description }: PspDueChargeRequest,
): { body: Body; txid: string } {
  if (!txidSchema.safeParse(txid).success) throw rejected("no txid by the standard")
  const solicitacaoPagador = shownText(description)
  const infoAdicionais = termsInWords(terms)
  const body = {
    calendario: {
      dataDeVencimento: terms.dueDay,
      // Banks disagree about a validity that ends on a weekend, so it ends on a business day.
      validadeAposVencimento: daysBetween(adjustedDueDay(terms), lastDayOf(terms), "calendar"),
    },
    devedor: debtorOf(debtor),
    valor: {
      original: pixValueFromCents(terms.amountCents),
      ...(terms.fine && { multa: { modalidade: "cents" in terms.fine ? 1 : 2, valorPerc: shareText(terms.fine) } }),
      ...(terms.interest && { juros: interestOf(terms.interest) }),
      ...discountsOf(terms),
    },
    chave: receiver.key,
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador }),
    ...(infoAdicionais.length > 0 && { infoAdicionais }),
  }
  return { body, txid }
}

/** Addresses of other shapes than the standard's are left out: they are optional. */
function debtorOf({ name, document, address }: PspDebtor): Body["devedor"] {
  const { street, number, city, state } = address
  const zipCode = (address["zipCode"] ?? "").replace(/\D/g, "")
  const isWhole = Boolean(street && city && state && /^[A-Z]{2}$/i.test(state) && zipCode.length === 8)
  return {
    ...(document.length === 14 ? { cnpj: document } : { cpf: document }),
    nome: [...name].slice(0, 200).join(""),
    ...(isWhole && {
      logradouro: [street, number].filter(Boolean).join(", ").slice(0, 200),
      cidade: (city ?? "").slice(0, 200),
      uf: (state ?? "").toUpperCase(),
      cep: zipCode,
    }),
  }
}

/** Reais or percent, with two decimals: a basis point is to a percent what a centavo is to a real. */
function shareText(share: Share): string {
  return pixValueFromCents("cents" in share ? share.cents : (share.basisPoints as Cents))
}

/** Amounts a day, percent a day, a month and a year of calendar days, then the same of business days. */
function interestOf({ share, per, counting }: NonNullable<DueTerms["interest"]>) {
  const calendar = "cents" in share ? 1 : { day: 2, month: 3, year: 4 }[per]
  return { modalidade: counting === "calendar" ? calendar : calendar + 4, valorPerc: shareText(share) }
}

function discountsOf({ discount }: DueTerms) {
  if (discount === undefined || !("until" in discount)) return {}
  const [first] = discount.until
  const modalidade = first !== undefined && "cents" in first.share ? 1 : 2
  const descontoDataFixa = discount.until.map(({ day, share }) => ({ data: day, valorPerc: shareText(share) }))
  return { desconto: { modalidade, descontoDataFixa } }
}

/** For people: a payer's bank reads the computed amounts alone. */
function termsInWords({ fine, interest, discount }: DueTerms): { nome: string; valor: string }[] {
  const shown = (share: Share) => {
    const text = shareText(share).replace(".", ",")
    return "cents" in share ? `R$ ${text}` : `${text} %`
  }
  const dayText = (day: Day) => day.split("-").toReversed().join("/")
  const steps = discount !== undefined && "until" in discount ? discount.until : []
  return [
    ...steps.map(({ day, share }) => ({ nome: "Desconto", valor: `${shown(share)} até ${dayText(day)}` })),
    ...(fine ? [{ nome: "Multa", valor: `${shown(fine)} depois do vencimento` }] : []),
    ...(interest
      ? [
          {
            nome: "Juros",
            valor: `${shown(interest.share)} ao ${{ day: "dia", month: "mês", year: "ano" }[interest.per]}`,
          },
        ]
      : []),
  ]
}

/** Whether it asks what was requested. */
function hasTerms({ calendario, valor }: Charge, body: Body, { isAfter }: Reading): boolean {
  const { dataDeVencimento, validadeAposVencimento } = body.calendario
  const read = { ...(isAfter && body.calendario), ...givenOf(calendario) }
  return (
    sameValue(valor.original, body.valor.original) &&
    read.dataDeVencimento === dataDeVencimento &&
    read.validadeAposVencimento === validadeAposVencimento &&
    kindsOfPart.every((kind) => {
      const part = { ...(isAfter && body.valor[kind]), ...givenOf(valor[kind]) }
      return partText(part) === partText(body.valor[kind])
    })
  )
}

function givenOf<Fields extends object>(fields: Fields | null | undefined): Partial<Fields> {
  const given = Object.entries(fields ?? {}).filter(([, field]) => field !== undefined && field !== null)
  return Object.fromEntries(given) as Partial<Fields>
}

/** None is an empty one, and one of nothing. */
function partText(part: PartOfTerms): string {
  const all = part?.descontoDataFixa ?? [{ data: "", valorPerc: part?.valorPerc ?? "0.00" }]
  const steps = all
    .map(({ data, valorPerc }) => ({ data, cents: readValue(valorPerc) }))
    .filter(({ cents }) => cents !== 0)
  const texts = steps.map(({ data, cents }) => `${data} ${cents}`).toSorted()
  return texts.length === 0 ? "" : [part?.modalidade, ...texts].join(" ")
}

function sameValue(found: string | number, wanted: string): boolean {
  return readValue(found) === readValue(wanted)
}
