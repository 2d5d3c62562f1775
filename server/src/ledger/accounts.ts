/** The chart of accounts is in docs/ledger.md. Balance = credits - debits. */
export type AccountId = string & { readonly __unit: "ledger account" }

export const feeRevenue = "fee-revenue" as AccountId

/** The bank's charges, and what it pays us for holding money. */
export const bankTariffs = "bank-tariffs" as AccountId

/** Our own money that was paid in. */
export const capital = "capital" as AccountId

/** The other side of corrections of sellers' balances. */
export const corrections = "corrections" as AccountId

/** Money that the provider holds for us. Receipts debit it, so its balance is negative. */
export function pspClearing(provider: string): AccountId {
  return `psp-clearing:${provider}` as AccountId
}

/** Money received that can't be credited to a seller yet. */
export function suspense(provider: string): AccountId {
  return `suspense:${provider}` as AccountId
}

export function sellerAvailable(sellerId: string): AccountId {
  return `seller-available:${sellerId}` as AccountId
}

/** The seller's money in withdrawals that are requested and not yet sent. */
export function sellerHeld(sellerId: string): AccountId {
  return `seller-held:${sellerId}` as AccountId
}

/** The seller's money in undecided disputes. */
export function sellerBlocked(sellerId: string): AccountId {
  return `seller-blocked:${sellerId}` as AccountId
}

/** The seller's money from sales, held for the days that the settings say. */
export function sellerReserved(sellerId: string): AccountId {
  return `seller-reserved:${sellerId}` as AccountId
}

/** Money on its way back to payers, not yet confirmed. */
export function refundsUnderWay(provider: string): AccountId {
  return `refunds-under-way:${provider}` as AccountId
}

/** Money handed to the provider to be paid out, not yet confirmed. */
export function payoutsUnderWay(provider: string): AccountId {
  return `payouts-under-way:${provider}` as AccountId
}

const labels: Record<string, string> = {
  "psp-clearing": "Conta no provedor Pix",
  "seller-available": "Saldo disponível do vendedor",
  "seller-held": "Saldo do vendedor em saque",
  "seller-blocked": "Saldo bloqueado do vendedor",
  "seller-reserved": "Saldo a receber do vendedor",
  "fee-revenue": "Receita de taxas",
  suspense: "Pagamentos a conferir",
  "payouts-under-way": "Saques em processamento",
  "bank-tariffs": "Tarifas e rendimentos do banco",
  capital: "Capital",
  corrections: "Correções",
  "refunds-under-way": "Estornos em processamento",
}

/** The kind of account in words, without its owner. */
export function accountLabel(account: AccountId): string {
  return labels[account.replace(/:.*/s, "")] ?? account
}
