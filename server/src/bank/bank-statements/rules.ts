import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { StatementMatch } from "@tilinta/contract/vocabulary/withdrawals"
import { type Day, daysAfter } from "#kit/clock"
import { txidOf } from "#money/hand-payouts/rules"

/** A debit of the bank's statement, as it is stored. */
export interface Debit {
  id: string
  day: Day
  amountCents: Cents
  text: string
  /** The withdrawal that it was confirmed to have paid. */
  withdrawalId: string | null
}

/** A withdrawal that people pay: still to be paid, or paid lately. */
export interface Payable {
  id: string
  amountCents: Cents
  sellerName: string
  pixKey: string | null
  /** The day of its approval: the bank may have paid it on any day from then on. */
  since: Day
  /** The day on which it was marked as paid, or else on which somebody was shown how to pay it, or on which it was approved. */
  day: Day
  isPaid: boolean
  /** A person said that it was not paid: it explains no debit, though its debit may be another's by the looks of it. */
  isGivenBack: boolean
  /** The bank's ids of its payment, once it is paid. */
  bankIds: readonly string[]
}

export interface Matched {
  debit: Debit
  match: StatementMatch
  /** The withdrawal that is known, sure or likely; null otherwise. */
  withdrawalId: string | null
  /** Those among which a person chooses; none unless it is doubtful. */
  candidateIds: string[]
}

/** The name by which a completion keeps a debit that has no endToEndId. */
export function entryBankId(debitId: string): string {
  return `extrato ${debitId}`
}

export function endToEndIdOf({ text }: Pick<Debit, "text">): string | null {
  return /(?<![0-9A-Za-z])E\d{20}[0-9A-Za-z]{11}(?![0-9A-Za-z])/.exec(text)?.[0] ?? null
}

/**
 * A debit is sure by our identifier, and likely where amount, day and name leave one withdrawal, and the withdrawal this
 * debit alone. What is likely among paid ones is known, on any day since their approval, because people mark them late.
 * Anything else that has the amount is doubtful: a person looks.
 * So is what resembles a debit outside its file, because a bank tells one debit as OFX and as CSV in different words.
 */
export function matchDebits(
  debits: readonly Debit[],
  payables: readonly Payable[],
  file: ReadonlySet<string> = new Set(debits.map(({ id }) => id)),
): Matched[] {
  const named = findNamed(
    debits,
    payables.filter(({ isGivenBack }) => !isGivenBack),
  )
  const times = countOf([...named.values()].map(({ id }) => id))
  const taken = new Set([...debits.flatMap(({ withdrawalId }) => withdrawalId ?? []), ...times.keys()])
  const open = debits.filter(({ id, withdrawalId }) => withdrawalId === null && !named.has(id))
  const free = payables.filter(({ id }) => !taken.has(id))
  const fitting = findFitting(open, free)
  const wanted = countOf([...fitting.values()].flatMap((found) => found.map(({ id }) => id)))
  const nameless = Map.groupBy(
    open.filter(({ id }) => fitting.get(id)?.length === 0),
    ({ amountCents }) => amountCents,
  )
  const isAlone = (payable: Payable) => {
    const span = spanOf(payable)
    return wanted.get(payable.id) === 1 && !nameless.get(payable.amountCents)?.some(({ day }) => isWithin(day, span))
  }
  const outside = new Set(debits.filter(({ id }) => !file.has(id)).map((debit) => amountAndDayOf(debit)))
  const unpaid = Map.groupBy(
    free.filter(({ isPaid }) => !isPaid),
    ({ amountCents }) => amountCents,
  )
  return debits.map((debit): Matched => {
    if (debit.withdrawalId !== null) return matchedAs(debit, "known", debit.withdrawalId)
    const payable = named.get(debit.id)
    if (payable !== undefined) {
      const isOne = times.get(payable.id) === 1 && payable.amountCents === debit.amountCents
      if (isOne) return matchedAs(debit, payable.isPaid ? "known" : "sure", payable.id)
      return { ...matchedAs(debit, "doubtful", null), candidateIds: payable.isPaid ? [] : [payable.id] }
    }
    const [only, ...others] = fitting.get(debit.id) ?? []
    const isOne = only !== undefined && others.length === 0 && isAlone(only) && !outside.has(amountAndDayOf(debit))
    if (isOne && !only.isGivenBack && (only.isPaid || isWithin(debit.day, spanOf({ ...only, since: only.day })))) {
      return matchedAs(debit, only.isPaid ? "known" : "likely", only.id)
    }
    const alike = unpaid.get(debit.amountCents) ?? []
    const isNobodys = only === undefined || only.isGivenBack
    if (alike.length === 0) return matchedAs(debit, isNobodys ? "none" : "doubtful", null)
    return { ...matchedAs(debit, "doubtful", null), candidateIds: alike.map(({ id }) => id) }
  })
}

/** Money that left by our books, and the days on which the bank's statement may have it. */
export interface Outgoing {
  amountCents: Cents
  from: Day
  to: Day
}

/** Debits that nothing of ours explains: each withdrawal or other movement explains one. */
export function nobodysDebits(
  debits: readonly Debit[],
  payables: readonly Payable[],
  others: readonly Outgoing[],
): Debit[] {
  const matched = matchDebits(debits, payables)
  const taken = new Set(matched.flatMap(({ withdrawalId }) => withdrawalId ?? []))
  const paid = payables
    .filter(({ id, isGivenBack }) => !taken.has(id) && !isGivenBack)
    .map((payable) => ({ id: payable.id, amountCents: payable.amountCents, ...spanOf(payable) }))
  const left: (Outgoing & { id?: string })[] = [...paid, ...others].toSorted((a, b) => a.to.localeCompare(b.to))
  return matched.flatMap(({ debit, withdrawalId, candidateIds }) => {
    if (withdrawalId !== null) return []
    const explains = ({ id = "", amountCents, from, to }: (typeof left)[number]) =>
      candidateIds.includes(id) || (amountCents === debit.amountCents && isWithin(debit.day, { from, to }))
    const at = left.findIndex(explains)
    if (at === -1) return [debit]
    left.splice(at, 1)
    return []
  })
}

function matchedAs(debit: Debit, match: StatementMatch, withdrawalId: string | null): Matched {
  return { debit, match, withdrawalId, candidateIds: [] }
}

function countOf(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

function amountAndDayOf({ amountCents, day }: Pick<Debit, "amountCents" | "day">): string {
  return `${amountCents} ${day}`
}

type Span = Pick<Outgoing, "from" | "to">

/** The bank writes a payment a day earlier or later than people do. */
function spanOf({ since, day }: Pick<Payable, "since" | "day">): Span {
  return { from: daysAfter(since, -1), to: daysAfter(day, 1) }
}

function isWithin(day: Day, { from, to }: Span): boolean {
  return from <= day && day <= to
}

/**
 * Banks write our identifier in capitals or not. Each piece of a text is looked up, because thousands of debits against
 * thousands of withdrawals would stop the process for seconds.
 */
function findNamed(debits: readonly Debit[], payables: readonly Payable[]): Map<string, Payable> {
  const ours = payables.map((payable): [string, Payable] => [txidOf(payable.id), payable])
  const theirs = payables.flatMap((payable) =>
    payable.bankIds.map((bankId): [string, Payable] => [bankId.toUpperCase(), payable]),
  )
  const known = new Map([...ours, ...theirs])
  const lengths = new Set([...known.keys()].map(({ length }) => length).filter((length) => length > 5))
  return new Map(
    debits.flatMap((debit) => {
      const own = known.get(entryBankId(debit.id).toUpperCase())
      const payable = own ?? findWithin(debit.text.toUpperCase(), known, lengths)
      return payable === undefined ? [] : [[debit.id, payable]]
    }),
  )
}

function findWithin(
  text: string,
  known: ReadonlyMap<string, Payable>,
  lengths: ReadonlySet<number>,
): Payable | undefined {
  for (const length of lengths) {
    for (let at = 0; at + length <= text.length; at += 1) {
      const piece = text.slice(at, at + length)
      const payable = known.get(piece)
      if (payable !== undefined && (isWhole(text, at, length) || piece === txidOf(payable.id))) return payable
    }
  }
  return undefined
}

/** Compares names only where amount and days fit. */
function findFitting(debits: readonly Debit[], payables: readonly Payable[]): Map<string, Payable[]> {
  const addressees = payables.map((payable) => ({
    payable,
    span: spanOf(payable),
    names: wordsOf(payable.sellerName),
    pixKey: payable.pixKey?.toUpperCase() ?? null,
  }))
  const alike = Map.groupBy(addressees, ({ payable }) => payable.amountCents)
  return new Map(
    debits.map((debit) => {
      const written = { text: debit.text.toUpperCase(), words: wordsOf(debit.text) }
      const fitting = alike.get(debit.amountCents)?.filter(({ span }) => isWithin(debit.day, span)) ?? []
      return [debit.id, fitting.filter((each) => isAddressed(written, each)).map(({ payable }) => payable)]
    }),
  )
}

/** The key, or the first name and another: banks cut long names off. */
function isAddressed(
  written: { text: string; words: readonly string[] },
  { names, pixKey }: { names: readonly string[]; pixKey: string | null },
): boolean {
  if (pixKey !== null && holds(written.text, pixKey)) return true
  const [first, ...others] = names
  const isWritten = (name: string) =>
    written.words.some(
      (word) => word === name || (word.length >= 3 && name.startsWith(word) && word === written.words.at(-1)),
    )
  return first !== undefined && written.words.includes(first) && others.some(isWritten)
}

function holds(text: string, word: string): boolean {
  const at = text.indexOf(word)
  return at !== -1 && isWhole(text, at, word.length)
}

function isWhole(text: string, at: number, length: number): boolean {
  return !/[0-9A-Z]/.test(`${text[at - 1] ?? " "}${text[at + length] ?? " "}`)
}

const joining = new Set(["da", "de", "do", "das", "dos", "e"])

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  return (plain.match(/[a-z0-9]+/g) ?? []).filter((word) => !joining.has(word))
}
