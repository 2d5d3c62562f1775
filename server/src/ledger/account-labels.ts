import type { AccountId } from "./accounts.ts"

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
