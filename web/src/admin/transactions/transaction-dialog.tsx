import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { detailOf, hasStatus, messageOf } from "#api/api-error.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { Skeleton } from "#ui/skeleton.tsx"
import { adminTexts } from "../admin-texts.ts"
import { TransactionDetails } from "./transaction-details.tsx"
import { transactionQuery } from "./transactions-data.ts"
import type { RequestRefund } from "./use-refund.ts"

const RefundDialog = lazy(() => import("./refund-dialog.tsx").then((module) => ({ default: module.RefundDialog })))

interface Props {
  id: string
  onRefund: RequestRefund
  onClose: () => void
}

const settlingMs = 3000

/** Its address opens it again: a link to a payment can be kept, and the way back closes it. */
export function TransactionDialog({ id, onRefund, onClose }: Props) {
  const [refunding, setRefunding] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    ...transactionQuery(id),
    refetchInterval: ({ state }) =>
      state.data?.refunds.some(({ status }) => status === "processing") === true ? settlingMs : false,
  })
  return (
    <>
      <Dialog
        title="Detalhes da transação"
        onClose={onClose}
        footer={
          data !== undefined && data.refundable > 0 ? (
            <Button look="quiet-danger" icon="undo" onClick={() => setRefunding(true)}>
              Estornar
            </Button>
          ) : undefined
        }
      >
        {data !== undefined && <TransactionDetails transaction={data.transaction} refunds={data.refunds} />}
        {data === undefined && error === null && <Waiting />}
        {data === undefined && hasStatus(error, 404) && (
          <p role="alert" className="py-6 text-center text-t2">
            {messageOf(error, adminTexts.transactionNotFound)}
          </p>
        )}
        {error !== null && !hasStatus(error, 404) && (
          <LoadFailure
            message={messageOf(error, adminTexts.transactionFailed)}
            detail={detailOf(error)}
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        )}
      </Dialog>
      {refunding && data !== undefined && (
        <Suspense>
          <RefundDialog
            transaction={data.transaction}
            refundable={data.refundable}
            onRefund={onRefund}
            onClose={() => setRefunding(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment grid gap-4">
      <span className="sr-only">Carregando transação</span>
      <Skeleton className="h-10 w-48" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}
