import { Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/charge-pages"
import type { TransactionView } from "@tilinta/contract/transactions"
import { useState } from "react"
import { formatDateTime } from "#format/dates.ts"
import { publicLinkOf } from "#seller/charge-page-parts/charge-pages-data.ts"
import { useFresh } from "#seller/live/live-store.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { TransactionStatusBadge, TransactionTitle } from "#seller/transactions/transaction-title.tsx"
import { Reais } from "#ui/amounts.tsx"
import { buttonClass, IconButton, iconButtonClass } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState, RowsSkeleton } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"
import { Icon, type IconName } from "#ui/icon.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { shownRows } from "./dashboard-data.ts"

export function FirstChargePage({ icon, title, children }: { icon: IconName; title: string; children: string }) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <Link to="/checkouts/create" className={buttonClass("secondary")}>
          Criar primeira cobrança
        </Link>
      }
    >
      {children}
    </EmptyState>
  )
}

const ShareDialog = lazyDialog(() =>
  import("../charge-page-parts/share-dialog.tsx").then((module) => module.ShareDialog),
)

export function RecentChargePages({
  pages,
  waiting,
}: {
  pages: readonly ChargePageView[] | undefined
  waiting: boolean
}) {
  const [shared, setShared] = useState<ChargePageView | null>(null)
  return (
    <Card className="p-2 pt-[18px]">
      <div className="px-4 pb-2 max-md:px-3">
        <CardHeader title="Cobranças recentes" id="recent-charges">
          <Link
            to="/checkouts"
            className="-my-2.5 inline-flex min-h-11 items-center text-label font-semibold text-mint underline-offset-4 hover:underline"
          >
            Ver todas
          </Link>
        </CardHeader>
      </div>
      {waiting && <RowsSkeleton rows={shownRows} label="Carregando cobranças" />}
      {pages !== undefined && pages.length > 0 && (
        <ul aria-labelledby="recent-charges" className="max-h-[400px] overflow-y-auto">
          {pages.slice(0, shownRows).map((page) => (
            <RecentChargePage key={page._id} page={page} onShare={() => setShared(page)} />
          ))}
        </ul>
      )}
      {pages === undefined && !waiting && <p className="px-4 pb-6 text-t3">Indisponível no momento.</p>}
      {pages?.length === 0 && (
        <FirstChargePage icon="file" title="Você ainda não criou cobranças">
          Crie um link, envie ao cliente e receba por Pix.
        </FirstChargePage>
      )}
      {shared !== null && <ShareDialog page={shared} onClose={() => setShared(null)} />}
    </Card>
  )
}

function RecentChargePage({ page, onShare }: { page: ChargePageView; onShare: () => void }) {
  const payments = page.paymentsCount === 1 ? "1 pagamento" : `${page.paymentsCount} pagamentos`
  return (
    <li className="flex min-h-[67px] items-center justify-between gap-2 border-t border-line py-2 pr-1 pl-4 max-md:pl-3">
      <Link to="/checkouts/$id" params={{ id: page._id }} className="row-link flex-1 tabular-nums">
        <RowText
          title={page.title}
          note={
            <>
              <Reais>{page.amount}</Reais> · {payments}
            </>
          }
        />
      </Link>
      <div className="flex flex-none">
        <CopyButton
          text={publicLinkOf(page.uniqueLink)}
          label={`Copiar link de ${page.title}`}
          done={sellerTexts.linkCopied}
          failed={sellerTexts.dashboardLinkNotCopied}
        />
        <IconButton icon="share" label={`Compartilhar ${page.title}`} title="Compartilhar" onClick={onShare} />
        <a
          href={publicLinkOf(page.uniqueLink)}
          target="_blank"
          rel="noreferrer"
          aria-label={`Visualizar ${page.title} em nova aba`}
          title="Visualizar"
          className={iconButtonClass}
        >
          <Icon name="open" />
        </a>
      </div>
    </li>
  )
}

const columns: readonly Column<TransactionView>[] = [
  {
    header: "Descrição",
    area: "title",
    cell: (row) => <TransactionTitle transaction={row} />,
  },
  {
    header: "Valor",
    area: "amount",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap tabular-nums">
        <b className="block font-semibold">
          <Reais>{row.grossAmount}</Reais>
        </b>
        <span className="block text-meta text-t3 cards:hidden">
          líq. <Reais>{row.netAmount}</Reais>
        </span>
      </span>
    ),
  },
  { header: "Status", area: "status", cell: (row) => <TransactionStatusBadge status={row.status} /> },
  { header: "Data", area: "date", end: true, cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
]

export function RecentTransactions({
  rows,
  waiting,
}: {
  rows: readonly TransactionView[] | undefined
  waiting: boolean
}) {
  const fresh = useFresh()
  return (
    <Card className="p-2 pt-[18px]">
      <div className="px-4 pb-2 max-md:px-3">
        <CardHeader title="Transações recentes">
          <Link
            to="/transactions"
            className="-my-2.5 inline-flex min-h-11 items-center text-label font-semibold text-mint underline-offset-4 hover:underline"
          >
            Ver todas
          </Link>
        </CardHeader>
      </div>
      {waiting && <RowsSkeleton rows={shownRows} label="Carregando transações" />}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          caption="Transações recentes"
          columns={columns}
          rows={rows}
          rowKey={(row) => row._id}
          isFresh={(row) => fresh.has(row._id)}
        />
      )}
      {rows === undefined && !waiting && <p className="px-4 pb-6 text-t3">Indisponível no momento.</p>}
      {rows?.length === 0 && (
        <FirstChargePage icon="exchange" title="Nenhuma transação ainda">
          Os pagamentos dos seus clientes aparecem aqui.
        </FirstChargePage>
      )}
    </Card>
  )
}

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
