import { type AccountKind, accountKindLabels, manualEntryLabels } from "@tilinta/contract/vocabulary/books"
import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { LedgerTransaction } from "#ledger/post-transactions"
import type { Psp } from "#psp/psp"

export interface Account {
  id: string
  kind: AccountKind
  name: string
  /** Credits less debits. */
  balanceCents: Cents
}

/** The connected provider, by the name of its rows and the one that people know. */
export type Bank = Pick<Psp, "name" | "label">

/** The part before the colon. */
const kinds: Record<string, AccountKind> = {
  "psp-clearing": "bank",
  "seller-available": "seller_available",
  "seller-reserved": "seller_reserved",
  "seller-held": "seller_withdrawing",
  "payouts-under-way": "seller_withdrawing",
  "seller-blocked": "seller_blocked",
  "seller-debt": "seller_debt",
  suspense: "suspense",
  "refunds-under-way": "suspense",
  "fee-revenue": "fees",
  "bank-tariffs": "tariffs",
  capital: "capital",
  corrections: "corrections",
}

const names: Record<string, string> = {
  "payouts-under-way": "Vendedores: saques em envio",
  suspense: "Pagamentos a conferir",
  "refunds-under-way": "Estornos em envio",
}

/** Shown also while nothing has moved them. */
const always = [
  "seller-available",
  "seller-held",
  "seller-blocked",
  "seller-debt",
  "fee-revenue",
  "bank-tariffs",
  "capital",
  "corrections",
]

/** `bank` is connected; a former one keeps the name of its rows. */
export function accountOf(id: string, balanceCents: Cents, bank: Bank): Account {
  const [word = id, provider] = id.split(":")
  const kind = kinds[word] ?? "suspense"
  const name = names[word] ?? accountKindLabels[kind]
  return { id, kind, name: provider === undefined ? name : `${name}: ${nameOf(provider, bank)}`, balanceCents }
}

function nameOf(provider: string, bank: Bank): string {
  return provider === bank.name ? bank.label : provider
}

/** One for each provider, whose name stands after the colon. */
const ofProviders = ["psp-clearing", "payouts-under-way", "suspense", "refunds-under-way"]

export function isAccountId(id: string): boolean {
  const [word = "", provider, ...rest] = id.split(":")
  if (rest.length > 0 || !Object.hasOwn(kinds, word)) return false
  return ofProviders.includes(word) ? provider !== undefined && provider !== "" : provider === undefined
}

/** `sums` has what lies below zero in seller-available too, and once more as seller-debt. */
export function chartOf(sums: ReadonlyMap<string, Cents>, bank: Bank): Account[] {
  const debtCents = sums.get("seller-debt") ?? noMoney
  const ids = [...new Set([...always, ...sums.keys()])]
  const accounts = ids.map((id) => {
    const cents = sums.get(id) ?? noMoney
    return accountOf(id, id === "seller-available" ? subtractCents(cents, debtCents) : cents, bank)
  })
  const order = Object.values(kinds)
  return accounts.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.id < b.id ? -1 : 1))
}

interface Equation {
  /** Sellers' debts that the fees don't cover: other sellers' money pays them. */
  uncoveredCents: Cents
  bankCents: Cents
  sellersCents: Cents
  oursCents: Cents
  waitingCents: Cents
  differenceCents: Cents
}

export function equationOf(accounts: readonly Account[]): Equation {
  const sum = (...wanted: AccountKind[]) =>
    accounts
      .filter(({ kind }) => wanted.includes(kind))
      .reduce((all, each) => addCents(all, each.balanceCents), noMoney)
  const bankCents = subtractCents(noMoney, sum("bank"))
  const sellersCents = sum("seller_available", "seller_reserved", "seller_withdrawing", "seller_blocked", "seller_debt")
  const oursCents = sum("fees", "tariffs", "capital", "corrections")
  const waitingCents = sum("suspense")
  const owedCents = addCents(addCents(sellersCents, oursCents), waitingCents)
  const freeCents = addCents(sum("fees"), sum("seller_debt"))
  const uncoveredCents = freeCents < noMoney ? subtractCents(noMoney, freeCents) : noMoney
  return {
    uncoveredCents,
    bankCents,
    sellersCents,
    oursCents,
    waitingCents,
    differenceCents: subtractCents(bankCents, owedCents),
  }
}

export type PostingKind = LedgerTransaction["kind"] | "payment" | "unmatched-payment"

/** As administrators read the postings of an account. A kind without words does not compile. */
export const postingWords = {
  payment: "Pagamento",
  "unmatched-payment": "Pagamento a conferir",
  "payment-accepted": "Pagamento aceito",
  withdrawal: "Saque solicitado",
  "withdrawal-returned": "Saque devolvido ao saldo",
  payout: "Saque em envio",
  "payout-completed": "Saque pago",
  "payout-returned": "Saque devolvido pelo banco",
  refund: "Estorno em envio",
  "refund-completed": "Estorno pago",
  "refund-returned": "Estorno não realizado",
  "refund-by-bank": "Estorno feito pelo banco",
  "dispute-blocked": "Contestação: valor bloqueado",
  "dispute-released": "Contestação: valor liberado",
  "reserve-held": "Retido até a data combinada",
  "reserve-drawn": "Retido: liberado para um débito",
  "reserve-released": "Retido: valor liberado",
  "own-payout": manualEntryLabels.own_payout,
  "bank-tariff": manualEntryLabels.bank_tariff,
  "capital-in": manualEntryLabels.capital_in,
  "bank-yield": manualEntryLabels.yield,
  correction: manualEntryLabels.correction,
} as const satisfies Record<PostingKind, string>
