import type { DatabaseSync } from "node:sqlite"
import {
  adjustedDueDay,
  businessDayFrom,
  type Day,
  type DueAmount,
  type DueTerms,
  dayAfter,
  dueAmountOn,
  lastDayOf,
  type Reading,
  type Share,
} from "@tilinta/contract/vocabulary/due-amount"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { z } from "zod"
import { centsFromValor } from "./books.ts"

export const valor = z.string().regex(/^\d{1,10}\.\d{2}$/)
const text = (longest: number) => z.string().min(1).max(longest).optional()
const kindOfPart = (kinds: number) => z.int().min(1).max(kinds)

export const calendarDay = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .refine((day) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day))

const debtor = z
  .object({
    cpf: z
      .string()
      .regex(/^\d{11}$/)
      .optional(),
    cnpj: z
      .string()
      .regex(/^[0-9A-Z]{14}$/)
      .optional(),
    nome: z.string().min(1).max(200),
    email: z.string().optional(),
    logradouro: text(200),
    cidade: text(200),
    uf: text(2),
    cep: text(8),
  })
  .refine(({ cpf, cnpj }) => (cpf === undefined) !== (cnpj === undefined), {
    message: "O objeto cobv.devedor não respeita o _schema_.",
  })

const part = (kinds: number) => z.object({ modalidade: kindOfPart(kinds), valorPerc: valor })

const discount = z
  .object({
    modalidade: kindOfPart(6),
    valorPerc: valor.optional(),
    descontoDataFixa: z
      .array(z.object({ data: calendarDay, valorPerc: valor }))
      .max(3)
      .optional(),
  })
  .superRefine(({ modalidade, valorPerc, descontoDataFixa }, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", message })
    const isFixed = modalidade <= 2
    const about = isFixed ? "modalidade no valor `1` ou `2`" : "modalidade nos valores de `3` a `6`"
    if (isFixed && valorPerc !== undefined) {
      refuse(
        `O objeto cobv.valor.desconto apresenta ${about}, porém cobv.valor.desconto.valorPerc encontra-se preenchido.`,
      )
    }
    if (isFixed && !descontoDataFixa?.length) {
      refuse(
        `O objeto cobv.valor.desconto apresenta ${about}, porém o array cobv.valor.desconto.descontoDataFixa está vazio ou nulo.`,
      )
    }
    if (!isFixed && valorPerc === undefined) {
      refuse(
        `O objeto cobv.valor.desconto apresenta ${about}, porém o elemento cobv.valor.desconto.valorPerc não está preenchido.`,
      )
    }
    if (!isFixed && descontoDataFixa !== undefined) {
      refuse(
        `O objeto cobv.valor.desconto apresenta ${about}, porém o elemento cobv.valor.desconto.descontoDataFixa está preenchido ou não nulo.`,
      )
    }
  })

const amounts = z.object({
  original: valor.refine((original) => centsFromValor(original) !== 0, {
    message: "O campo cobv.valor.original apresenta o valor `zero`.",
  }),
  multa: part(2).optional(),
  juros: part(8).optional(),
  abatimento: part(2).optional(),
  desconto: discount.optional(),
})

const days = z.object({ dataDeVencimento: calendarDay, validadeAposVencimento: z.int().min(0).default(30) })

const rest = {
  chave: z.string().min(1).max(77),
  loc: z.object({ id: z.int() }).optional(),
  solicitacaoPagador: z.string().max(140).optional(),
  infoAdicionais: z
    .array(z.object({ nome: z.string().max(50), valor: z.string().max(200) }))
    .max(50)
    .optional(),
}

export const dueChargeRequest = z.object({ calendario: days, devedor: debtor, valor: amounts, ...rest })
export const dueChargeRevision = z.object({
  ...dueChargeRequest.partial().shape,
  valor: amounts
    .extend({
      multa: part(2).nullish(),
      juros: part(8).nullish(),
      abatimento: part(2).nullish(),
      desconto: discount.nullish(),
    })
    .optional(),
  status: z.literal("REMOVIDA_PELO_USUARIO_RECEBEDOR").optional(),
})

export type DueChargeRequest = z.infer<typeof dueChargeRequest>
export type DueChargeRevision = z.infer<typeof dueChargeRevision>

export type DueCharge = {
  locationId: number
  txid: string
  status: "ATIVA" | "CONCLUIDA" | "REMOVIDA_PELO_USUARIO_RECEBEDOR" | "REMOVIDA_PELO_PSP"
  createdAt: number
  location: string
  pixCode: string
  /** Requests from the first one on. A removal adds none. */
  revisions: DueChargeRequest[]
}

type Row = Omit<DueCharge, "revisions"> & { revisions: string }

type Filter = {
  from: number
  to: number
  status?: string | undefined
  cpf?: string | undefined
  cnpj?: string | undefined
}

export type DueChargeBook = ReturnType<typeof openDueChargeBook>

const filtered = `FROM due_charges WHERE createdAt BETWEEN :from AND :to
  AND (:status IS NULL OR status = :status)
  AND (:cpf IS NULL OR revisions ->> '$[#-1].devedor.cpf' = :cpf)
  AND (:cnpj IS NULL OR revisions ->> '$[#-1].devedor.cnpj' = :cnpj)`

export function openDueChargeBook(db: DatabaseSync) {
  const byTxid = db.prepare("SELECT * FROM due_charges WHERE txid = ?")
  const byLocation = db.prepare("SELECT * FROM due_charges WHERE location = ?")
  const insert = db.prepare(
    `INSERT INTO due_charges (txid, status, createdAt, location, pixCode, revisions)
     VALUES (:txid, :status, :createdAt, :location, :pixCode, :revisions) RETURNING locationId`,
  )
  const update = db.prepare("UPDATE due_charges SET status = :status, revisions = :revisions WHERE txid = :txid")
  const conclude = db.prepare("UPDATE due_charges SET status = 'CONCLUIDA' WHERE txid = ? AND status = 'ATIVA'")
  const count = db.prepare(`SELECT count(*) AS total ${filtered}`)
  const newest = db.prepare("SELECT * FROM due_charges ORDER BY locationId DESC LIMIT ?")
  const page = db.prepare(`SELECT * ${filtered} ORDER BY createdAt, locationId LIMIT :limit OFFSET :offset`)
  const insertParts = db.prepare("INSERT INTO payment_parts (endToEndId, parts) VALUES (?, ?)")
  const partsOf = db.prepare("SELECT parts FROM payment_parts WHERE endToEndId = ?")
  const parameters = ({ from, to, status, cpf, cnpj }: Filter) => {
    return { from, to, status: status ?? null, cpf: cpf ?? null, cnpj: cnpj ?? null }
  }

  return {
    findByTxid: (txid: string) => read(byTxid.get(txid)),
    findByLocation: (location: string) => read(byLocation.get(location)),
    insert(created: Omit<DueCharge, "locationId">): DueCharge {
      const row = insert.get({ ...created, revisions: JSON.stringify(created.revisions) })
      return { ...created, locationId: Number(row?.["locationId"]) }
    },
    update({ txid, status, revisions }: DueCharge): void {
      update.run({ txid, status, revisions: JSON.stringify(revisions) })
    },
    /** False when another payment or the removal came first. */
    conclude: (txid: string): boolean => conclude.run(txid).changes === 1,
    count: (filter: Filter): number => Number(count.get(parameters(filter))?.["total"]),
    newest: (limit: number): DueCharge[] => newest.all(limit).flatMap((row) => read(row) ?? []),
    page(filter: Filter, limit: number, offset: number): DueCharge[] {
      return page.all({ ...parameters(filter), limit, offset }).flatMap((row) => read(row) ?? [])
    },
    storeParts(endToEndId: string, parts: DueAmount & { original: number }): void {
      insertParts.run(endToEndId, JSON.stringify(parts))
    },
    findParts(endToEndId: string): (DueAmount & { original: number }) | undefined {
      const row = partsOf.get(endToEndId)
      return row === undefined ? undefined : JSON.parse(String(row["parts"]))
    },
  }
}

function read(row: unknown): DueCharge | undefined {
  if (row === undefined) return undefined
  const stored = row as Row
  return { ...stored, revisions: JSON.parse(stored.revisions) as DueChargeRequest[] }
}

/** The last request that changed it. */
export function latestOf({ revisions }: DueCharge): DueChargeRequest {
  return revisions.at(-1) as DueChargeRequest
}

const centsOf = (value: string) => (centsFromValor(value) ?? 0) as Cents
const share = (value: string, isPercent: boolean): Share =>
  isPercent ? { basisPoints: centsOf(value) } : { cents: centsOf(value) }

/** For the calculator that the product uses, too: both read the Central Bank's rules by it. */
export function termsOf({
  calendario,
  valor: { original, multa, juros, abatimento, desconto },
}: DueChargeRequest): DueTerms {
  const kind = juros === undefined ? 0 : (juros.modalidade - 1) % 4
  return {
    amountCents: centsOf(original),
    dueDay: calendario.dataDeVencimento,
    daysAfterDue: calendario.validadeAposVencimento,
    ...(abatimento && { abatement: share(abatimento.valorPerc, abatimento.modalidade === 2) }),
    ...(multa && { fine: share(multa.valorPerc, multa.modalidade === 2) }),
    ...(juros && {
      interest: {
        share: share(juros.valorPerc, kind > 0),
        per: (["day", "day", "month", "year"] as const)[kind] ?? "day",
        counting: juros.modalidade <= 4 ? "calendar" : "business",
      },
    }),
    ...(desconto && { discount: discountOf(desconto) }),
  }
}

function discountOf({ modalidade, valorPerc = "0.00", descontoDataFixa = [] }: z.infer<typeof discount>) {
  const isPercent = modalidade === 2 || modalidade >= 5
  if (modalidade > 2) {
    const counting = modalidade % 2 === 1 ? ("calendar" as const) : ("business" as const)
    return { perDayAhead: share(valorPerc, isPercent), counting }
  }
  const until = descontoDataFixa
    .map((step) => ({ day: step.data, share: share(step.valorPerc, isPercent) }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
  return { until }
}

const dayFormat = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: "America/Sao_Paulo" })

export function dayOf(moment: number): Day {
  return dayFormat.format(moment)
}

/** Ways in which banks read the rules of days and rounding, each switched on by a fault. */
export type Deviations = Partial<
  Record<"roundsDown" | "keepsDueDay" | "hasMunicipalHoliday" | "endsOnWeekend", boolean>
>

export function amountOn(
  terms: DueTerms,
  day: Day,
  { roundsDown, keepsDueDay, hasMunicipalHoliday }: Deviations,
): DueAmount {
  const adjusted = adjustedDueDay(terms)
  const reading: Partial<Reading> = {
    ...(roundsDown && { less: "down", more: "down" }),
    ...(keepsDueDay && { dueUntil: terms.dueDay, discountUntil: (until: Day) => until }),
    ...(hasMunicipalHoliday && { dueUntil: businessDayFrom(dayAfter(adjusted, 1)) }),
  }
  return dueAmountOn(terms, day, reading)
}

export function lastDay(terms: DueTerms, { endsOnWeekend }: Deviations): Day {
  return endsOnWeekend ? dayAfter(adjustedDueDay(terms), terms.daysAfterDue) : lastDayOf(terms)
}
