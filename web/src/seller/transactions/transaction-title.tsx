import type { TransactionView } from "@tilinta/contract/transactions"
import { type SellerStatus, sellerStatusLabels } from "@tilinta/contract/vocabulary/transactions"
import { payerText } from "#format/receipt-texts.ts"
import { transactionsSearch } from "#seller/search-params.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { RowLink } from "#ui/data-table.tsx"

const tones = {
  pago: "success",
  pendente: "warning",
  expirado: "danger",
  recusado: "danger",
  cancelado: "danger",
  estornado: "secondary",
} as const satisfies Record<SellerStatus, BadgeTone>

export function TransactionStatusBadge({ status }: { status: SellerStatus }) {
  return <Badge tone={tones[status] ?? "secondary"}>{sellerStatusLabels[status] ?? status}</Badge>
}

interface Props {
  transaction: TransactionView
  /** Adds the description behind the payer where there is space, when the page has one of its own. */
  described?: boolean
}

/** The page's title, below it the payer: what tells one row from another is never the part that is cut. */
export function TransactionTitle({ transaction, described = false }: Props) {
  const { description, checkoutPage, externalReference } = transaction
  const title = checkoutPage.title || description
  return (
    <RowLink
      to="/transactions"
      search={(old) => transactionsSearch({ ...old, transaction: transaction._id })}
      aria-haspopup="dialog"
      text={title}
      note={
        <>
          {externalReference !== null && `${externalReference} · `}
          {payerText(transaction)}
          {described && description !== "" && description !== title && (
            <span className="cards:hidden"> · {description}</span>
          )}
        </>
      }
    />
  )
}
