import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"
import { RecentChargePages } from "./recent-charge-pages.tsx"
import { RecentTransactions } from "./recent-transactions.tsx"

interface Props {
  transactions: readonly TransactionView[] | undefined
  chargePages: readonly ChargePageView[] | undefined
  waiting: { transactions: boolean; chargePages: boolean }
}

export function RecentActivity({ transactions, chargePages, waiting }: Props) {
  return (
    <>
      <RecentTransactions rows={transactions} waiting={waiting.transactions} />
      <RecentChargePages pages={chargePages} waiting={waiting.chargePages} />
    </>
  )
}
