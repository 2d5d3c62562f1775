import { Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import { isPayablePage } from "@tilinta/contract/vocabulary/charge-page-status"
import { useState } from "react"
import { formatDateTime } from "#format/date.ts"
import { ChargePageBadge } from "#ui/charge-page-badge.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { Icon } from "#ui/icon.tsx"
import { IconButton, iconButtonClass } from "#ui/icon-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { CancelDialog } from "../charge-page-parts/cancel-dialog.tsx"
import { publicLinkOf } from "../charge-page-parts/public-link.ts"
import { useFresh } from "../live/live-store.ts"
import { sellerTexts } from "../seller-texts.ts"

const ShareDialog = lazyDialog(() =>
  import("../charge-page-parts/share-dialog.tsx").then((module) => module.ShareDialog),
)

export function ChargePageListTable({ rows, dimmed }: { rows: readonly ChargePageView[]; dimmed: boolean }) {
  const fresh = useFresh()
  const [shared, setShared] = useState<ChargePageView | null>(null)
  const [cancelling, setCancelling] = useState<ChargePageView | null>(null)
  const columns: readonly Column<ChargePageView>[] = [
    { header: "Título", area: "title", cell: (page) => <TitleCell page={page} /> },
    { header: "Link", area: "extra", cell: (page) => <LinkCell page={page} /> },
    {
      header: "Valor",
      area: "amount",
      end: true,
      cell: (page) => (
        <b className="font-semibold whitespace-nowrap tabular-nums">
          <Reais>{page.amount}</Reais>
        </b>
      ),
    },
    { header: "Status", area: "status", cell: (page) => <ChargePageBadge status={page.status} /> },
    { header: "Criada em", area: "date", cell: (page) => <DateCell text={formatDateTime(page.createdAt)} /> },
    { header: "Expira em", area: "none", cell: (page) => <DateCell text={expiryText(page)} /> },
    {
      header: "Ações",
      area: "actions",
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
        rowKey={(page) => page._id}
        dimmed={dimmed}
        isFresh={(page) => fresh.has(page._id)}
        wide
      />
      {shared !== null && <ShareDialog page={shared} onClose={() => setShared(null)} />}
      {cancelling !== null && <CancelDialog page={cancelling} onClose={() => setCancelling(null)} />}
    </>
  )
}

function expiryText(page: ChargePageView): string {
  return page.expiresAt === null ? "Não definida" : formatDateTime(page.expiresAt)
}

function TitleCell({ page }: { page: ChargePageView }) {
  return (
    <div className="min-w-0">
      <Link
        to="/checkouts/$id"
        params={{ id: page._id }}
        className="block truncate font-semibold underline-offset-4 hover:underline"
      >
        {page.title}
      </Link>
      {page.description !== "" && <p className="truncate text-meta text-t3">{page.description}</p>}
    </div>
  )
}

function LinkCell({ page }: { page: ChargePageView }) {
  return (
    <div className="flex min-w-0 items-center gap-1">
      <span className="min-w-0 truncate text-meta text-t2 max-w-24 cards:max-w-none">/checkout/{page.uniqueLink}</span>
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

function Actions({ page, onShare, onCancel }: ActionsProps) {
  return (
    <div className="flex justify-end gap-0.5">
      <Link
        to="/checkouts/$id"
        params={{ id: page._id }}
        aria-label={`Ver detalhes de ${page.title}`}
        title="Ver detalhes"
        className={iconButtonClass}
      >
        <Icon name="edit" />
      </Link>
      {isPayablePage(page.status) && (
        <>
          <IconButton
            icon="share"
            label={`Compartilhar ${page.title}`}
            title="Compartilhar"
            onClick={() => onShare(page)}
          />
          <a
            href={publicLinkOf(page.uniqueLink)}
            target="_blank"
            rel="noreferrer"
            aria-label={`Abrir ${page.title} em nova aba`}
            title="Abrir em nova aba"
            className={iconButtonClass}
          >
            <Icon name="open" />
          </a>
          <IconButton icon="ban" label={`Cancelar ${page.title}`} title="Cancelar" onClick={() => onCancel(page)} />
        </>
      )}
    </div>
  )
}
