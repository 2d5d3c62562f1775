import { Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/charge-pages"
import type { TransactionView } from "@tilinta/contract/transactions"
import { useState } from "react"
import { PageAmount } from "#parts/charge-pages/charge-page-parts.tsx"
import { RecentTransactions, shownRows } from "#parts/transactions/recent-transactions.tsx"
import { publicLinkOf } from "#seller/charge-page-parts/charge-pages-data.ts"
import { useFresh } from "#seller/live/live-store.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { TransactionStatusBadge, TransactionTitle } from "#seller/transactions/transaction-title.tsx"
import { buttonClass, IconButton, iconButtonClass } from "#ui/button.tsx"
import { EmptyState, RecentCard } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { RowLink } from "#ui/data-table.tsx"
import { Icon } from "#ui/icon.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"

const ShareDialog = lazyDialog(() => import("../charge-page-parts/share-dialog.tsx"), "ShareDialog")

interface ChargePagesProps {
  pages: readonly ChargePageView[] | undefined
  waiting: boolean
}

export function RecentChargePages({ pages, waiting }: ChargePagesProps) {
  const [shared, setShared] = useState<ChargePageView | null>(null)
  return (
    <RecentCard
      title="Cobranças recentes"
      to="/checkouts"
      seeAll="Ver todas"
      count={pages?.length}
      waiting={waiting ? { rows: shownRows, label: "Carregando cobranças" } : null}
      empty={
        <EmptyState
          icon="file"
          title="Nenhuma cobrança no momento"
          action={
            <Link to="/checkouts/create" className={buttonClass("secondary")}>
              Criar cobrança
            </Link>
          }
        >
          Crie um link, envie ao cliente e receba por Pix.
        </EmptyState>
      }
    >
      <ul aria-label="Cobranças recentes" className="max-h-[400px] overflow-y-auto">
        {pages?.slice(0, shownRows).map((page) => (
          <RecentChargePage key={page._id} page={page} onShare={() => setShared(page)} />
        ))}
      </ul>
      {shared !== null && <ShareDialog page={shared} onClose={() => setShared(null)} />}
    </RecentCard>
  )
}

function RecentChargePage({ page, onShare }: { page: ChargePageView; onShare: () => void }) {
  const payments = page.paymentsCount === 1 ? "1 pagamento" : `${page.paymentsCount} pagamentos`
  return (
    <li className="flex min-h-[67px] items-center justify-between gap-2 border-t border-line py-2 pr-1 pl-4 max-md:pl-3">
      <RowLink
        to="/checkouts/$id"
        params={{ id: page._id }}
        className="flex-1 tabular-nums"
        text={page.title}
        note={
          <>
            <PageAmount amount={page.amount} /> · {payments}
          </>
        }
      />
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

interface Props {
  transactions: readonly TransactionView[] | undefined
  chargePages: readonly ChargePageView[] | undefined
  waiting: { transactions: boolean; chargePages: boolean }
  /** Before the first sale, where another card says what comes next. */
  hidesEmpty: boolean
}

export function RecentActivity({ transactions, chargePages, waiting, hidesEmpty }: Props) {
  const fresh = useFresh()
  return (
    <>
      {!(hidesEmpty && transactions?.length === 0) && (
        <RecentTransactions
          to="/transactions"
          rows={transactions}
          waiting={waiting.transactions}
          titleOf={(row) => <TransactionTitle transaction={row} />}
          badgeOf={(row) => <TransactionStatusBadge status={row.status} />}
          isFresh={(row) => fresh.has(row._id)}
          empty={null}
        />
      )}
      {!(hidesEmpty && chargePages?.length === 0) && (
        <RecentChargePages pages={chargePages} waiting={waiting.chargePages} />
      )}
    </>
  )
}
