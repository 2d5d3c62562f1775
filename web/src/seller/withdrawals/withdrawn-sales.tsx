import { useInfiniteQuery } from "@tanstack/react-query"
import { messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/date.ts"
import { Button } from "#ui/button.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { failureDetail } from "../failure-detail.ts"
import { sellerTexts } from "../seller-texts.ts"
import { withdrawnSalesQuery } from "./withdrawals-data.ts"

/** The sales since the withdrawal before this one, each with its fee. */
export function WithdrawnSales({ id }: { id: string }) {
  const list = useInfiniteQuery(withdrawnSalesQuery(id))
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  if (list.isPending) return <RowsSkeleton rows={3} label="Carregando vendas" />
  if (list.isError && rows.length === 0) {
    return (
      <LoadFailure
        message={messageOf(list.error, sellerTexts.withdrawnSalesFailed)}
        detail={failureDetail(list.error)}
        busy={list.isFetching}
        onRetry={() => void list.refetch()}
      />
    )
  }
  if (rows.length === 0) return <p className="text-label text-t2">Nenhuma venda entrou desde o saque anterior.</p>
  return (
    <>
      <ul className="grid divide-y divide-line text-label">
        {rows.map(({ kind, reference, at, description, pageTitle, amount }) => (
          <li key={`${kind} ${reference}`} className="flex items-baseline justify-between gap-4 py-2">
            <span className="min-w-0 break-words">
              {kind === "sale" ? (pageTitle ?? description) : description}
              {kind === "sale" && <span className="block text-meta text-t3 tabular-nums">{formatDateTime(at)}</span>}
            </span>
            <span className={`whitespace-nowrap tabular-nums ${amount > 0 ? "font-semibold" : "text-t2"}`}>
              <Reais>{amount}</Reais>
            </span>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? "Carregando..." : "Mostrar mais"}
        </Button>
      )}
    </>
  )
}
