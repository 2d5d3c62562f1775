import type { InvoiceView } from "@tilinta/contract/invoices"
import { isOpenInvoice } from "@tilinta/contract/vocabulary/invoices"
import { formatDay } from "#format/dates.ts"
import { InvoiceBadge } from "#parts/invoices/invoice-badge.tsx"
import { useFresh } from "#seller/live/live-store.ts"
import { receivablesSearch } from "#seller/search-params.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useShopName } from "#seller/shop/shop-data.ts"
import { copyText } from "#ui/copy-text.ts"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { Icon } from "#ui/icon.tsx"
import { menuItemClass, RowMenu, RowMenuItem } from "#ui/menu.tsx"
import { amountColumn, quietAmountColumn } from "#ui/table-columns.tsx"
import { toast } from "#ui/toast.ts"
import { amountOf, customerNameOf, whatsappLink } from "./receivables-data.ts"

const columns: readonly Column<InvoiceView>[] = [
  { header: "Cliente", area: "title", cell: (row) => <CustomerCell invoice={row} /> },
  { header: "Vencimento", area: "date", cell: (row) => <DateCell text={formatDay(row.dueDate)} /> },
  quietAmountColumn("Valor original", (row) => row.amount),
  amountColumn("Valor", amountOf),
  { header: "Status", area: "status", cell: (row) => <InvoiceBadge state={row.state} /> },
  { header: "Ações", area: "menu", end: true, cell: (row) => isOpen(row) && <Actions invoice={row} /> },
]

/** Nobody needs the link of one that is over. */
function isOpen({ status }: InvoiceView): boolean {
  return isOpenInvoice(status)
}

export function InvoiceTable({ rows, dimmed }: { rows: readonly InvoiceView[]; dimmed: boolean }) {
  const fresh = useFresh()
  const hasActions = rows.some(isOpen)
  return (
    <DataTable
      caption="Cobranças com vencimento"
      columns={hasActions ? columns : columns.filter(({ area }) => area !== "menu")}
      rows={rows}
      isFresh={({ transactionId }) => transactionId !== null && fresh.has(transactionId)}
      dimmed={dimmed}
      wide
    />
  )
}

function CustomerCell({ invoice }: { invoice: InvoiceView }) {
  const { _id, description, externalReference } = invoice
  return (
    <RowLink
      to="/receivables"
      search={(old) => receivablesSearch({ ...old, invoice: _id })}
      aria-haspopup="dialog"
      text={customerNameOf(invoice)}
      note={[externalReference, description].filter(Boolean).join(" · ")}
    />
  )
}

function Actions({ invoice }: { invoice: InvoiceView }) {
  const shop = useShopName()
  const { link } = invoice

  async function copy(button: HTMLButtonElement): Promise<void> {
    if (await copyText(link, button)) toast.success(sellerTexts.linkCopied)
    else toast.error(sellerTexts.listLinkNotCopied)
  }

  return (
    <div className="flex justify-end">
      <RowMenu of={customerNameOf(invoice)}>
        <RowMenuItem icon="copy" onClick={(button) => void copy(button)}>
          Copiar link
        </RowMenuItem>
        <a
          href={whatsappLink(invoice, shop)}
          target="_blank"
          rel="noreferrer"
          role="menuitem"
          className={menuItemClass}
        >
          <Icon name="share" />
          Lembrar pelo WhatsApp
        </a>
      </RowMenu>
    </div>
  )
}
