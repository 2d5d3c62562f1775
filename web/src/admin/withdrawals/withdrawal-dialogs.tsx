import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import type { HandSettlementView } from "@tilinta/contract/fields"
import { lazyDialog } from "#ui/lazy-part.tsx"
import type { ApproveBatch, BatchReply } from "./batch.ts"
import type { Decision } from "./withdrawal-decision.ts"
import { withdrawalsKey } from "./withdrawals-data.ts"

const WithdrawalDialog = lazyDialog(() => import("./withdrawal-dialog.tsx"), "WithdrawalDialog")
const DecisionDialog = lazyDialog(() => import("./withdrawal-decision-dialog.tsx"), "DecisionDialog")
const SettleDialog = lazyDialog(() => import("../hand-settlements/settle-dialog.tsx"), "SettleDialog")
const BatchDialog = lazyDialog(() => import("./batch-dialogs.tsx"), "BatchDialog")
const BatchResultDialog = lazyDialog(() => import("./batch-dialogs.tsx"), "BatchResultDialog")

/** A question or result shown over the list. */
export type Question =
  | { about: "one"; decision: Decision; withdrawal: AdminWithdrawalView }
  | { about: "settle"; withdrawal: AdminWithdrawalView; confirms: HandSettlementView | null }
  | { about: "batch"; withdrawals: readonly AdminWithdrawalView[] }
  | { about: "result"; reply: BatchReply }

interface Props {
  openId: string | undefined
  rows: readonly AdminWithdrawalView[]
  question: Question | null
  approveBatch: ApproveBatch
  onAsk: (question: Question | null) => void
  onOpen: (id: string | undefined) => void
}

export function WithdrawalDialogs({ openId, rows, question, approveBatch, onAsk, onOpen }: Props) {
  const close = () => onAsk(null)
  return (
    <>
      {openId !== undefined && (
        <WithdrawalDialog
          key={openId}
          id={openId}
          listed={rows.find(({ _id }) => _id === openId)}
          onDecide={(decision, withdrawal) => onAsk({ about: "one", decision, withdrawal })}
          onSettle={(action, withdrawal) => {
            const confirms = action === "confirm" ? withdrawal.handSettlement : null
            onAsk({ about: "settle", withdrawal, confirms })
          }}
          onClose={() => onOpen(undefined)}
        />
      )}
      {question?.about === "one" && (
        <DecisionDialog {...question} onOutrun={() => onOpen(question.withdrawal._id)} onClose={close} />
      )}
      {question?.about === "settle" && (
        <SettleDialog
          subject="withdrawal"
          id={question.withdrawal._id}
          amount={question.withdrawal.amount}
          seller={question.withdrawal.user.name}
          confirms={question.confirms}
          listKey={withdrawalsKey}
          onClose={close}
        />
      )}
      {question?.about === "batch" && (
        <BatchDialog
          withdrawals={question.withdrawals}
          approve={approveBatch}
          onDone={(reply) => onAsk({ about: "result", reply })}
          onClose={close}
        />
      )}
      {question?.about === "result" && (
        <BatchResultDialog
          reply={question.reply}
          onOpen={(id) => {
            close()
            onOpen(id)
          }}
          onClose={close}
        />
      )}
    </>
  )
}
