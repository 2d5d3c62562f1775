import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { isDecidable } from "@tilinta/contract/vocabulary/withdrawals"
import type { WithdrawalView } from "@tilinta/contract/withdrawals"
import { useState } from "react"
import { detailOf, hasStatus, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { holdSentence, methodLabels, wholeDestination } from "#format/withdrawal-texts.ts"
import { failureDetail } from "#seller/seller-data.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { BigAmount, Reais, useReaisParts } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { LoadFailure, RowsSkeleton } from "#ui/card.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { CopyableCode } from "#ui/facts.tsx"
import { Steps } from "#ui/steps.tsx"
import { CancelWithdrawalDialog } from "./cancel-withdrawal-dialog.tsx"
import { withdrawalSteps } from "./withdrawal-steps.ts"
import { withdrawalQuery, withdrawnSalesQuery } from "./withdrawals-data.ts"
import { WithdrawalStatusBadge } from "./withdrawals-summary.tsx"

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

export function WithdrawalDialog({ withdrawal, onClose }: { withdrawal: WithdrawalView; onClose: () => void }) {
  const [cancelling, setCancelling] = useState(false)
  const [showsSales, setShowsSales] = useState(false)
  const hold = holdSentence(withdrawal, new Date())
  const facts = [
    { term: "Método", value: methodLabels[withdrawal.paymentMethod] },
    ...wholeDestination(withdrawal),
    ...(withdrawal.returnedAmount === 0
      ? []
      : [{ term: "De volta ao seu saldo", value: formatReais(withdrawal.returnedAmount) }]),
  ]
  return (
    <>
      <Dialog
        title="Saque"
        onClose={onClose}
        footer={
          isDecidable(withdrawal.status) ? (
            <Button variant="quiet-danger" onClick={() => setCancelling(true)}>
              Cancelar saque
            </Button>
          ) : undefined
        }
      >
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <BigAmount parts={useReaisParts(withdrawal.amount)} />
          <WithdrawalStatusBadge status={withdrawal.status} />
        </div>
        {hold !== "" && <p className="mt-5 rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">{hold}</p>}
        <dl className="mt-5 grid gap-2 border-t border-line pt-4 text-label">
          {facts.map(({ term, value }) => (
            <div key={term} className="flex justify-between gap-6">
              <dt className="flex-none text-t3">{term}</dt>
              <dd className="min-w-0 text-right font-semibold wrap-anywhere tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {withdrawal.endToEndId !== null && (
          <div className="mt-4">
            <CopyableCode label="ID do Pix (endToEndId)" code={withdrawal.endToEndId} />
          </div>
        )}
        <h3 className="mt-5 mb-4 border-t border-line pt-5 text-label font-semibold text-t2">Etapas</h3>
        <Steps steps={withdrawalSteps(withdrawal)} />
        <details
          className="mt-5 border-t border-line pt-3"
          onToggle={({ currentTarget }) => setShowsSales(currentTarget.open)}
        >
          <summary className="flex min-h-11 cursor-pointer items-center text-label font-semibold text-t2">
            Vendas deste saque
          </summary>
          {showsSales && <WithdrawnSales id={withdrawal._id} />}
        </details>
      </Dialog>
      {cancelling && <CancelWithdrawalDialog withdrawal={withdrawal} onClose={() => setCancelling(false)} />}
    </>
  )
}

/** For screens that know only its id. */
export function WithdrawalById({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(withdrawalQuery(id))
  if (data !== undefined) return <WithdrawalDialog withdrawal={data} onClose={onClose} />
  const isFinal = hasStatus(error, 404) || hasStatus(error, 403)
  return (
    <Dialog title="Saque" onClose={onClose}>
      {error === null && <RowsSkeleton rows={4} label="Carregando saque" />}
      {isFinal && (
        <p role="alert" className="py-6 text-center text-t2">
          {messageOf(error, sellerTexts.withdrawalFailed)}
        </p>
      )}
      {error !== null && !isFinal && (
        <LoadFailure
          message={messageOf(error, sellerTexts.withdrawalFailed)}
          detail={detailOf(error)}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      )}
    </Dialog>
  )
}
