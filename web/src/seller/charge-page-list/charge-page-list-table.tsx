import { Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/charge-pages"
import { isEditablePage, isPayablePage } from "@tilinta/contract/vocabulary/charge-pages"
import { useState } from "react"
import { formatDateTime } from "#format/dates.ts"
import { ChargePageBadge, orderNote, pageAmountColumn } from "#parts/charge-pages/charge-page-parts.tsx"
import { CancelDialog } from "#seller/charge-page-parts/cancel-dialog.tsx"
import { publicLinkOf } from "#seller/charge-page-parts/charge-pages-data.ts"
import { useFresh } from "#seller/live/live-store.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { iconButtonClass } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { copyText } from "#ui/copy-text.ts"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { Icon } from "#ui/icon.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { menuItemClass, RowMenu, RowMenuItem } from "#ui/menu.tsx"
import { toast } from "#ui/toast.ts"

const ShareDialog = lazyDialog(() => import("../charge-page-parts/share-dialog.tsx"), "ShareDialog")

export function ChargePageListTable({ rows, dimmed }: { rows: readonly ChargePageView[]; dimmed: boolean }) {
  const fresh = useFresh()
  const [shared, setShared] = useState<ChargePageView | null>(null)
  const [cancelling, setCancelling] = useState<ChargePageView | null>(null)
  const columns: readonly Column<ChargePageView>[] = [
    { header: "Título", area: "title", cell: (page) => <TitleCell page={page} /> },
    { header: "Link", area: "none", cell: (page) => <LinkCell page={page} /> },
    pageAmountColumn(),
    {
      header: "Status",
      area: "status",
      cell: (page) => <ChargePageBadge status={page.status} isSuspended={page.suspendedAt !== null} />,
    },
    {
      header: "Criada em",
      area: "date",
      cell: (page) => <DateCell text={formatDateTime(page.createdAt)} dayOnCards />,
    },
    { header: "Pagamentos", area: "none", end: true, cell: (page) => <PaymentsCell page={page} /> },
    { header: "Expira em", area: "none", cell: (page) => <DateCell text={expiryText(page)} /> },
    {
      header: "Ações",
      area: "menu",
      end: true,
      cell: (page) => <Actions page={page} onShare={setShared} onCancel={setCancelling} />,
    },
  ]
  return (
    <>
      <DataTable
        caption="Páginas de cobrança"
        columns={columns}
        rows={rows}
        dimmed={dimmed}
        isFresh={(page) => fresh.has(page._id)}
        wide
      />
      {shared !== null && <ShareDialog page={shared} onClose={() => setShared(null)} />}
      {cancelling !== null && <CancelDialog page={cancelling} onClose={() => setCancelling(null)} />}
    </>
  )
}

/** Opens who paid. */
function PaymentsCell({ page }: { page: ChargePageView }) {
  if (page.paymentsCount === 0) return <span className="text-t3 tabular-nums">0</span>
  return (
    <Link
      to="/transactions"
      search={{ checkoutPage: page._id, status: "aprovado" }}
      aria-label={`Pagamentos de ${page.title}: ${page.paymentsCount}`}
      className="relative z-2 inline-flex min-h-11 min-w-11 items-center justify-end font-semibold text-mint tabular-nums underline-offset-4 hover:underline"
    >
      {page.paymentsCount}
    </Link>
  )
}

function expiryText(page: ChargePageView): string {
  return page.expiresAt === null ? "Não definida" : formatDateTime(page.expiresAt)
}

function TitleCell({ page }: { page: ChargePageView }) {
  return (
    <RowLink
      to="/checkouts/$id"
      params={{ id: page._id }}
      text={page.title}
      note={
        orderNote(page) ?? (
          <>
            <span className="cards:hidden">{page.description}</span>
            <span className="hidden cards:inline">{page.slug}</span>
          </>
        )
      }
    />
  )
}

/** The slug leads to the page like the link that is copied, and it can be read. */
function LinkCell({ page }: { page: ChargePageView }) {
  return (
    <div className="flex min-w-0 items-center">
      <span className="max-w-28 min-w-0 truncate text-meta text-t2" title={`/checkout/${page.slug}`}>
        {page.slug}
      </span>
      <CopyButton
        text={publicLinkOf(page.uniqueLink)}
        label={`Copiar link de ${page.title}`}
        done={sellerTexts.linkCopied}
        failed={sellerTexts.listLinkNotCopied}
      />
    </div>
  )
}

interface ActionsProps {
  page: ChargePageView
  onShare: (page: ChargePageView) => void
  onCancel: (page: ChargePageView) => void
}

function Actions(props: ActionsProps) {
  const { page } = props
  return (
    <div className="flex justify-end">
      <Link
        to="/checkouts/$id"
        params={{ id: page._id }}
        aria-label={`Ver detalhes de ${page.title}`}
        title="Ver detalhes"
        className={`${iconButtonClass} cards:hidden`}
      >
        <Icon name={isEditablePage(page.status) && page.suspendedAt === null ? "edit" : "eye"} />
      </Link>
      <ActionMenu {...props} />
    </div>
  )
}

function ActionMenu({ page, onShare, onCancel }: ActionsProps) {
  const link = publicLinkOf(page.uniqueLink)
  const isOpen = isPayablePage(page.status) && page.suspendedAt === null

  async function copy(button: HTMLButtonElement): Promise<void> {
    if (await copyText(link, button)) toast.success(sellerTexts.linkCopied)
    else toast.error(sellerTexts.listLinkNotCopied)
  }

  return (
    <RowMenu of={page.title}>
      {isOpen && (
        <RowMenuItem icon="share" onClick={() => onShare(page)}>
          Compartilhar
        </RowMenuItem>
      )}
      <RowMenuItem icon="copy" onClick={(button) => void copy(button)}>
        Copiar link
      </RowMenuItem>
      {isOpen && (
        <a href={link} target="_blank" rel="noreferrer" role="menuitem" className={menuItemClass}>
          <Icon name="open" />
          Abrir em nova aba
        </a>
      )}
      <Link to="/checkouts/create" search={{ from: page._id }} role="menuitem" className={menuItemClass}>
        <Icon name="duplicate" />
        Duplicar
      </Link>
      {isPayablePage(page.status) && (
        <RowMenuItem icon="ban" isDanger onClick={() => onCancel(page)}>
          Cancelar cobrança
        </RowMenuItem>
      )}
    </RowMenu>
  )
}
