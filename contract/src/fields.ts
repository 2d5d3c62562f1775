import * as z from "zod/mini"
import { type ErrorCode, errorMessages } from "./vocabulary/error-codes.ts"
import { exportFormats, fileTypes } from "./vocabulary/files.ts"
import { isReais, MAX_AMOUNT_CENTS, reaisFromCents } from "./vocabulary/money.ts"
import { hasVisible, isReadableLine, isReadableText } from "./vocabulary/payer-data.ts"
import { secondFactors } from "./vocabulary/people.ts"
import { shopColors } from "./vocabulary/shops.ts"
import {
  bareDigits,
  isEmail,
  parseDocument,
  parseEmail,
  parsePhone,
  parseState,
  parseZipCode,
} from "./vocabulary/typed-data.ts"
import { handSettlementOutcomes, handSettlementWaits } from "./vocabulary/withdrawals.ts"

export const id = z.string()

export const personReference = z.object({ _id: id, name: z.string() })

export const isoDateTime = z.string()

/** A word of people, in the bank's place, about a payout or refund. */
export const handSettlementView = z.object({
  outcome: z.enum(handSettlementOutcomes),
  /** Null unless it was paid. */
  endToEndId: z.nullable(z.string()),
  reason: z.string(),
  saidBy: personReference,
  saidAt: isoDateTime,
  /** The second administrator; null before, and where one is enough. */
  confirmedBy: z.nullable(personReference),
  /** Null until it takes effect. */
  settledAt: z.nullable(isoDateTime),
  /** 'second_admin': another administrator must say the same. 'sending': it must be said again. Null once settled. */
  waitsFor: z.nullable(z.enum(handSettlementWaits)),
})
export type HandSettlementView = z.infer<typeof handSettlementView>

/** Fields of everything that people may settle by hand. */
export const handSettlementFields = {
  /** True when the bank has not answered for a day, so that an administrator may say what became of it. */
  settleable: z.boolean(),
  /** Null unless somebody has said so, and it waits or took effect. */
  handSettlement: z.nullable(handSettlementView),
}

/** Marks an issue as malformed input (400); every other broken rule is 422. */
export const malformed = { malformed: true } as const

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")
const lengthOf = (text: string): number => [...text].length

const mustBeStorable = z.refine<string>(isStorable, {
  error: "O texto contém caracteres inválidos.",
  params: malformed,
})

const unreadable = { error: "Apague os caracteres invisíveis ou de controle deste texto.", params: malformed }

/** For whatever people read on one line: each character must be seen. */
export const readableLine = z.refine<string>(isReadableLine, unreadable)
/** The same for text of several lines. */
export const readableLines = z.refine<string>(isReadableText, unreadable)

/** Refuses text that looks empty, with the rule's own message. */
export function visibleText(required: string) {
  return z.refine<string>(hasVisible, required)
}

function atMost(maxLength: number, tooLong = `Use no máximo ${maxLength} caracteres.`) {
  // A text never has more characters than code units, and `length` is known without counting.
  return z.refine<string>((value) => value.length <= maxLength || lengthOf(value) <= maxLength, tooLong)
}

/** Exactly as typed: for passwords alone. NUL and lone surrogates can't be stored, so they are refused here. */
export function secretText(maxLength: number, tooLong?: string) {
  return z.string("Deve ser um texto.").check(mustBeStorable, atMost(maxLength, tooLong))
}

/**
 * All other text comes in composed (NFC), so that searches, files and limits agree on what a letter is: phones and Macs
 * send 'ã' in one piece or in two.
 */
function composed() {
  return z.string("Deve ser um texto.").check(mustBeStorable, z.normalize("NFC"))
}

/** Text that nobody reads: keys, searches. */
export function text(maxLength: number, tooLong?: string) {
  return composed().check(atMost(maxLength, tooLong))
}

function trimmed() {
  return composed().check(z.trim())
}

/** Data of a known kind in its one form; what can't be read stays as it is, for the field's rule to refuse. */
function readBy(parse: (typed: string) => string | null) {
  return z.overwrite<string>((typed) => parse(typed) ?? typed)
}

/** Empty text is left to the field's own rule. */
function ofKind(parse: (typed: string) => string | null, message: string) {
  return z.refine<string>((value) => value.trim() === "" || parse(value) !== null, message)
}

export const phoneText = () => trimmed().check(readBy(parsePhone), ofKind(parsePhone, "Informe o telefone com DDD."))
export const zipCodeText = () =>
  trimmed().check(readBy(parseZipCode), ofKind(parseZipCode, "O CEP deve ter 8 dígitos."))
export const stateText = () =>
  trimmed().check(
    readBy(parseState),
    z.refine((value) => value === "" || /^\p{L}{2}$/u.test(value), {
      error: "O estado deve ter 2 letras.",
      abort: true,
    }),
    ofKind(parseState, "Informe a sigla de um estado, como SP."),
  )

/** A CPF or CNPJ, where none is needed. */
export const documentOrNothing = () =>
  text(40).check(
    z.overwrite((typed) => parseDocument(typed) ?? typed.trim()),
    z.refine((value) => value === "" || parseDocument(value) !== null, {
      error: ({ input }) => (/^\d{1,11}$/.test(bareDigits(String(input))) ? "CPF inválido" : "CNPJ inválido"),
    }),
  )

/** A line that must not be empty; absent counts as empty, so that the rule's own message is the answer. */
export function requiredLine(maxLength: number, required: string, tooLong?: string) {
  return z.prefault(trimmed().check(readableLine, visibleText(required), atMost(maxLength, tooLong)), "")
}

export function requiredLines(maxLength: number, required: string, tooLong?: string) {
  return z.prefault(trimmed().check(readableLines, visibleText(required), atMost(maxLength, tooLong)), "")
}

export function optionalLine(maxLength: number, tooLong?: string) {
  return z.prefault(trimmed().check(readableLine, atMost(maxLength, tooLong)), "")
}

export function optionalLines(maxLength: number, tooLong?: string) {
  return z.prefault(trimmed().check(readableLines, atMost(maxLength, tooLong)), "")
}

/** An amount in reais, as JSON carries it: two decimals at most, up to 9,999,999.99. */
export function reais(missing: string) {
  const error = ({ input }: { input?: unknown }) =>
    input === undefined || input === null ? missing : "O valor deve ser um número."
  return z.number({ error }).check(
    z.refine(isReais, { error: "Informe o valor com no máximo duas casas decimais.", params: malformed }),
    z.refine((value) => Math.abs(value) <= reaisFromCents(MAX_AMOUNT_CENTS), {
      error: "O valor máximo é R$ 9.999.999,99.",
      params: malformed,
    }),
  )
}

/** The address of an account as it signs in, whatever it is. */
export function signInEmail(required: string) {
  return trimmed().check(readBy(parseEmail), atMost(254), z.minLength(1, required))
}

function typedEmail(required: string, isValid: (value: string) => boolean) {
  return signInEmail(required).check(
    readableLine,
    z.refine((value) => value === "" || isValid(value), "E-mail inválido"),
  )
}

/** An address that mail can be sent to. */
export function emailField(required: string) {
  return z.prefault(
    typedEmail(required, (value) => parseEmail(value) !== null),
    "",
  )
}

/** An account may also have an address of the installation itself: `admin@localhost`. */
export function accountEmail(required: string) {
  return typedEmail(required, isEmail)
}

/** The same, where none is needed. */
export const emailOrNothing = () =>
  trimmed().check(readBy(parseEmail), atMost(254), readableLine, ofKind(parseEmail, "E-mail inválido"))

export const transactionReference = z.object({ _id: id, amount: z.number() })
/** `_id` is null for money that belonged to no page and was accepted for the seller. */
export const pageReference = z.object({ _id: z.nullable(id), title: z.string() })
export const userReference = z.object({ _id: id, name: z.string(), email: z.string() })
export const countAndAmount = z.object({ count: z.number(), amount: z.number() })
/** The effect of a decision on each side, in reais; a negative amount is debited. */
export const decisionEffect = z.object({ sellerGets: z.number(), fee: z.number(), payerGets: z.number() })
/** A posting, from debited to credited account, by their Portuguese names. */
export const ledgerLine = z.object({ at: isoDateTime, debit: z.string(), credit: z.string(), amount: z.number() })

const digitsOnly = /^\d+$/

/** A whole number of the query string, at least 1; more than `max` is clamped. */
export function wholeNumberQuery(fallback: number, max: number) {
  return z._default(
    z.pipe(
      z.string("Parâmetro inválido.").check(
        z.refine((value) => digitsOnly.test(value) && Number(value) >= 1, {
          error: "Parâmetro inválido.",
          params: malformed,
        }),
      ),
      z.transform((value) => Math.min(Number(value), max)),
    ),
    fallback,
  )
}

export function searchQuery() {
  return z.optional(text(200))
}

export function isCalendarDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return isInKnownYears(date) && date.toISOString().startsWith(value)
}

/** Years that JavaScript and PostgreSQL read alike, also a day before and after; no date at all is in none. */
function isInKnownYears(date: Date): boolean {
  return date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9998
}

/** A moment of a body, as `Date.parse` reads it. */
export function sentMoment() {
  return text(40).check(
    z.refine((value) => isInKnownYears(new Date(value)), {
      error: "Informe uma data e hora válidas.",
      params: malformed,
    }),
  )
}

/** São Paulo calendar day in a reply, `YYYY-MM-DD`. */
export const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))

/** São Paulo calendar day in a query, `YYYY-MM-DD`. */
export function dayQuery() {
  return z.optional(
    z.string("Data inválida.").check(z.refine(isCalendarDay, { error: "Data inválida.", params: malformed })),
  )
}

/** A reply of words alone. */
export const messageReply = z.object({ status: z.literal("success"), message: z.string() })

export function success<T extends z.ZodMiniType>(data: T) {
  return z.object({ status: z.literal("success"), data })
}

/** The same with words to show. */
export function successWithMessage<T extends z.ZodMiniType>(data: T) {
  return z.object({ status: z.literal("success"), message: z.string(), data })
}

/** A list and what belongs to it; `results` counts its rows. */
export function successWithResults<T extends z.core.$ZodShape>(data: T) {
  return z.object({ status: z.literal("success"), results: z.number(), data: z.object(data) })
}

/** Both pairs of names mean the same days. */
export interface Period {
  dateFrom?: string | undefined
  dateTo?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

export const inOrder = z.refine<Period>(
  ({ dateFrom, startDate, dateTo, endDate }) => {
    const [first, last] = [dateFrom ?? startDate, dateTo ?? endDate]
    return first === undefined || last === undefined || first <= last
  },
  { path: ["dateFrom"], error: "A data inicial deve vir antes da final.", params: malformed },
)

const isRowId = (value: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

/** Keyset cursor: the `_id` of a row, after which the list goes on whatever was added meanwhile. `page` is ignored. */
function afterQuery() {
  return z.optional(
    z.string("Parâmetro inválido.").check(z.refine(isRowId, { error: "Parâmetro inválido.", params: malformed })),
  )
}

/**
 * São Paulo calendar days, both inclusive. `dateFrom`/`dateTo` and `startDate`/`endDate` are synonyms; check them with
 * `inOrder`.
 */
export function periodFilters() {
  return { dateFrom: dayQuery(), dateTo: dayQuery(), startDate: dayQuery(), endDate: dayQuery() }
}

/** Paging by number or by keyset cursor. */
export function partOfList(limit: number) {
  return { page: wholeNumberQuery(1, 1_000_000), limit: wholeNumberQuery(limit, 1000), after: afterQuery() }
}

export function listFilters<const Word extends string>(statusWords: readonly Word[]) {
  return { status: z.optional(z.enum(statusWords, "Status desconhecido.")), search: searchQuery(), ...periodFilters() }
}

/** `none` leaves out `results` and `summary`, so that a search gets its rows without waiting for the count. */
export const totalsQuery = z.optional(z.enum(["exact", "none"], "Use exact ou none."))

/** The query of every long list. */
export function listQuery<const Word extends string>(statusWords: readonly Word[], limit = 100) {
  return z.object({ ...partOfList(limit), ...listFilters(statusWords) }).check(inOrder)
}

/** The query and the reply of whatever exports a table. */
export const exportFormat = { format: z._default(z.enum(exportFormats, "Escolha csv ou xlsx."), "csv") }
export const exportReply = { status: 200, file: [fileTypes.csv, fileTypes.xlsx] } as const

/** A seller's shop, as payers see it. Absent fields aren't shown. */
export const publicShopView = z.object({
  name: z.string(),
  /** A CPF or CNPJ without punctuation. */
  document: z.optional(z.string()),
  /** A PNG of 256 px. Our own pages load it by its path, which is the same on each of our hosts. */
  logoUrl: z.optional(z.string()),
  color: z.enum(shopColors),
  /** Area code and number. */
  whatsapp: z.optional(z.string()),
  email: z.optional(z.string()),
  /** For pages that take no payments any more. */
  closedText: z.optional(z.string()),
})
export type PublicShopView = z.infer<typeof publicShopView>

/** A problem of one field. */
export const fieldProblem = z.object({ path: z.string(), message: z.string() })

export const errorReply = z.object({
  status: z.enum(["fail", "error"]),
  message: z.string(),
  code: z.enum(Object.keys(errorMessages) as ErrorCode[]),
  data: z.optional(
    z.object({
      /** Ways to prove oneself, where a proof is missing or wrong. */
      methods: z.optional(z.array(z.enum(["password", ...secondFactors]))),
      /** The shop of a page that takes no payments any more. */
      shop: z.optional(publicShopView),
    }),
  ),
  errors: z.optional(z.array(fieldProblem)),
})
export type ErrorReply = z.infer<typeof errorReply>
