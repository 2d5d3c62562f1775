import { useQuery } from "@tanstack/react-query"
import type { HandSettlementView } from "@tilinta/contract/fields"
import type { AdminRefundView } from "@tilinta/contract/refunds"
import { isRefundUnderWay } from "@tilinta/contract/vocabulary/transactions"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { TransactionDetails } from "./transaction-details.tsx"
import { type RequestRefund, transactionQuery, transactionsKey } from "./transactions-data.ts"

const SettleDialog = lazyDialog(() => import("../hand-settlements/settle-dialog.tsx"), "SettleDialog")
const RefundDialog = lazyDialog(() => import("./refund-dialog.tsx"), "RefundDialog")

interface Props {
  id: string
  onRefund: RequestRefund
  onClose: () => void
}

const settlingMs = 3000

interface Settling {
  refund: AdminRefundView
  confirms: HandSettlementView | null
}

/** Addressable: a link to a payment can be kept, and 'back' closes it. */
export function TransactionDialog({ id, onRefund, onClose }: Props) {
  const [refunding, setRefunding] = useState(false)
  const [settling, setSettling] = useState<Settling | null>(null)
  const opened = useQuery({
    ...transactionQuery(id),
    refetchInterval: ({ state }) =>
      state.data?.refunds.some(({ status }) => isRefundUnderWay(status)) === true ? settlingMs : false,
  })
  const { data } = opened
  return (
    <>
      <Dialog
        title="Detalhes da transação"
        onClose={onClose}
        footer={
          data !== undefined && data.refundable > 0 ? (
            <Button variant="quiet-danger" icon="undo" onClick={() => setRefunding(true)}>
              Estornar
            </Button>
          ) : undefined
        }
      >
        <OpenedRow query={opened} waiting="Carregando transação" failed={adminTexts.transactionFailed}>
          {({ transaction, refunds }) => (
            <TransactionDetails
              transaction={transaction}
              refunds={refunds}
              onSettle={(refund, action) =>
                setSettling({ refund, confirms: action === "confirm" ? refund.handSettlement : null })
              }
            />
          )}
        </OpenedRow>
      </Dialog>
      {refunding && data !== undefined && (
        <RefundDialog
          transaction={data.transaction}
          refundable={data.refundable}
          deadline={data.deadline}
          onRefund={onRefund}
          onClose={() => setRefunding(false)}
        />
      )}
      {settling !== null && data !== undefined && (
        <SettleDialog
          subject="refund"
          id={settling.refund._id}
          amount={settling.refund.amount}
          seller={data.transaction.user.name}
          confirms={settling.confirms}
          listKey={transactionsKey}
          onClose={() => setSettling(null)}
        />
      )}
    </>
  )
}
