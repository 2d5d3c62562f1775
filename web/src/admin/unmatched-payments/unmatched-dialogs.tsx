import type { HandSettlementView } from "@tilinta/contract/api/hand-settlement-view"
import type { AdminRefundView } from "@tilinta/contract/api/refunds-endpoints"
import type { UnmatchedPaymentView } from "@tilinta/contract/api/unmatched-payments-endpoints"
import { useState } from "react"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { unmatchedKey } from "./unmatched-data.ts"
import { creditedSeller, type Decision } from "./unmatched-payment-decision.ts"

const UnmatchedDialog = lazyDialog(() => import("./unmatched-dialog.tsx").then((module) => module.UnmatchedDialog))
const DecisionDialog = lazyDialog(() =>
  import("./unmatched-payment-decision-dialog.tsx").then((module) => module.DecisionDialog),
)
const SettleDialog = lazyDialog(() =>
  import("../hand-settlements/settle-dialog.tsx").then((module) => module.SettleDialog),
)

/** A question shown over the open payment. */
type Question =
  | { about: "decision"; decision: Decision; payment: UnmatchedPaymentView }
  | { about: "refund"; refund: AdminRefundView; payment: UnmatchedPaymentView; confirms: HandSettlementView | null }

interface Props {
  openId: string | undefined
  rows: readonly UnmatchedPaymentView[]
  onClose: () => void
}

export function UnmatchedDialogs({ openId, rows, onClose }: Props) {
  const [question, setQuestion] = useState<Question | null>(null)
  const close = () => setQuestion(null)
  return (
    <>
      {openId !== undefined && (
        <UnmatchedDialog
          key={openId}
          id={openId}
          listed={rows.find(({ _id }) => _id === openId)}
          onDecide={(decision, payment) => setQuestion({ about: "decision", decision, payment })}
          onSettle={(action, refund, payment) => {
            const confirms = action === "confirm" ? refund.handSettlement : null
            setQuestion({ about: "refund", refund, payment, confirms })
          }}
          onClose={onClose}
        />
      )}
      {question?.about === "decision" && (
        <DecisionDialog decision={question.decision} payment={question.payment} onClose={close} />
      )}
      {question?.about === "refund" && (
        <SettleDialog
          subject="refund"
          id={question.refund._id}
          amount={question.refund.amount}
          seller={creditedSeller(question.payment)?.name ?? null}
          confirms={question.confirms}
          listKey={unmatchedKey}
          onClose={close}
        />
      )}
    </>
  )
}
