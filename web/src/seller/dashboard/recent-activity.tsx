import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"
import { RecentCharges } from "./recent-charges.tsx"
import { RecentTransactions } from "./recent-transactions.tsx"

interface Props {
  transactions: readonly TransactionView[] | undefined
  charges: readonly ChargePageView[] | undefined
  waiting: { transactions: boolean; charges: boolean }
}

export function RecentActivity({ transactions, charges, waiting }: Props) {
  return (
    <>
      <RecentTransactions rows={transactions} waiting={waiting.transactions} />
      <RecentCharges pages={charges} waiting={waiting.charges} />
    </>
  )
}
