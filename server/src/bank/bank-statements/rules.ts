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
  /** The day on which somebody was shown how to pay it, or on which it was approved or paid. */
  day: Day
  isPaid: boolean
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
 * debit alone. What is likely among paid ones is known. Anything else that has the amount is doubtful: a person looks.
 * So is what resembles a debit outside its file, because a bank tells one debit as OFX and as CSV in different words.
 */
export function matchDebits(
  debits: readonly Debit[],
  payables: readonly Payable[],
  file: ReadonlySet<string> = new Set(debits.map(({ id }) => id)),
): Matched[] {
  const named = new Map(debits.map((debit) => [debit.id, payables.find((each) => isNamed(debit, each))]))
  const taken = new Set(debits.flatMap(({ withdrawalId }) => withdrawalId ?? []))
  const times = countOf([...named.values()].flatMap((payable) => payable?.id ?? []))
  for (const payable of named.values()) if (payable !== undefined) taken.add(payable.id)
  const isOpen = (debit: Debit) => debit.withdrawalId === null && named.get(debit.id) === undefined
  const free = payables.filter((payable) => !taken.has(payable.id))
  const open = debits.filter(isOpen)
  const fitting = new Map(open.map((debit) => [debit.id, free.filter((payable) => fits(debit, payable))]))
  const wanted = countOf([...fitting.values()].flatMap((found) => found.map(({ id }) => id)))
  const nameless = open.filter(({ id }) => fitting.get(id)?.length === 0)
  const isAlone = (payable: Payable) =>
    wanted.get(payable.id) === 1 && !nameless.some((debit) => isAlike(debit, payable))
  const outside = new Set(debits.flatMap((debit) => (file.has(debit.id) ? [] : amountAndDayOf(debit))))
  return debits.map((debit): Matched => {
    if (debit.withdrawalId !== null) return matchedAs(debit, "known", debit.withdrawalId)
    const payable = named.get(debit.id)
    if (payable !== undefined) {
      const isOne = times.get(payable.id) === 1 && payable.amountCents === debit.amountCents
      if (isOne) return matchedAs(debit, payable.isPaid ? "known" : "sure", payable.id)
      return { ...matchedAs(debit, "doubtful", null), candidateIds: payable.isPaid ? [] : [payable.id] }
    }
    const [only, ...others] = fitting.get(debit.id) ?? []
    if (only !== undefined && others.length === 0 && isAlone(only) && !outside.has(amountAndDayOf(debit))) {
      return matchedAs(debit, only.isPaid ? "known" : "likely", only.id)
    }
    const alike = free.filter(({ amountCents, isPaid }) => amountCents === debit.amountCents && !isPaid)
    if (alike.length === 0) return matchedAs(debit, only === undefined ? "none" : "doubtful", null)
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
    .filter(({ id }) => !taken.has(id))
    .map(({ id, amountCents, day }) => ({ id, amountCents, from: daysAfter(day, -1), to: daysAfter(day, 1) }))
  const left: (Outgoing & { id?: string })[] = [...paid, ...others].toSorted((a, b) => a.to.localeCompare(b.to))
  return matched.flatMap(({ debit, withdrawalId, candidateIds }) => {
    if (withdrawalId !== null) return []
    const explains = ({ id = "", amountCents, from, to }: (typeof left)[number]) =>
      candidateIds.includes(id) || (amountCents === debit.amountCents && from <= debit.day && debit.day <= to)
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

function amountAndDayOf({ amountCents, day }: Debit): string {
  return `${amountCents} ${day}`
}

/** Banks write our identifier in capitals or not, and some without its end. */
function isNamed(debit: Debit, { id, bankIds }: Payable): boolean {
  if (bankIds.some((bankId) => bankId === entryBankId(debit.id) || (bankId.length > 5 && holds(debit.text, bankId)))) {
    return true
  }
  return debit.text.toUpperCase().includes(txidOf(id))
}

function holds(text: string, word: string): boolean {
  const at = text.toUpperCase().indexOf(word.toUpperCase())
  if (at === -1) return false
  return !/[0-9A-Za-z]/.test(`${text[at - 1] ?? " "}${text[at + word.length] ?? " "}`)
}

function fits(debit: Debit, payable: Payable): boolean {
  return isAlike(debit, payable) && isAddressed(debit.text, payable)
}

function isAlike({ amountCents, day }: Debit, payable: Payable): boolean {
  const days = Math.abs(Date.parse(day) - Date.parse(payable.day)) / 86_400_000
  return amountCents === payable.amountCents && days <= 1
}

/** The key, or the first name and another: banks cut long names off. */
function isAddressed(text: string, { sellerName, pixKey }: Payable): boolean {
  if (pixKey !== null && holds(text, pixKey)) return true
  const [first, ...others] = wordsOf(sellerName)
  const written = wordsOf(text)
  const isWritten = (name: string) =>
    written.some((word) => word === name || (word.length >= 3 && name.startsWith(word) && word === written.at(-1)))
  return first !== undefined && written.includes(first) && others.some(isWritten)
}

const joining = new Set(["da", "de", "do", "das", "dos", "e"])

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  return (plain.match(/[a-z0-9]+/g) ?? []).filter((word) => !joining.has(word))
}
