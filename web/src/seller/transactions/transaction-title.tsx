import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"

/** The description above; below it the page's title, when that says something else, and who paid. */
export function TransactionTitle({ transaction }: { transaction: TransactionView }) {
  const { description, checkoutPage, customerInfo } = transaction
  const payer = customerInfo.name || "Pagamento anônimo"
  const repeats = description === "" || description === checkoutPage.title
  return (
    <div className="min-w-0">
      <b className="block truncate font-semibold">{description || checkoutPage.title}</b>
      <span className="block truncate text-meta text-t3">{repeats ? payer : `${checkoutPage.title} · ${payer}`}</span>
    </div>
  )
}
