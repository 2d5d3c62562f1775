import { Link } from "@tanstack/react-router"
import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"
import { transactionsSearch } from "./transactions-search.ts"

/** The description above; below it the page's title, when it differs, and the payer. */
export function TransactionTitle({ transaction }: { transaction: TransactionView }) {
  const { description, checkoutPage, customerInfo } = transaction
  const payer = customerInfo.name || "Pagamento anônimo"
  const repeats = description === "" || description === checkoutPage.title
  return (
    <div className="min-w-0">
      <Link
        to="/transactions"
        search={(old) => transactionsSearch({ ...old, transaction: transaction._id })}
        aria-haspopup="dialog"
        className="block truncate font-semibold underline-offset-4 hover:underline"
      >
        {description || checkoutPage.title}
      </Link>
      <span className="block truncate text-meta text-t3">{repeats ? payer : `${checkoutPage.title} · ${payer}`}</span>
    </div>
  )
}
