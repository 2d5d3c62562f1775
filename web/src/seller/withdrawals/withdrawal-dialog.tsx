import type { WithdrawalView } from "@tilinta/contract/api/withdrawals-endpoints"
import { isDecidable } from "@tilinta/contract/vocabulary/withdrawal-status"
import { useState } from "react"
import { holdSentence } from "#format/hold-words.ts"
import { formatReais } from "#format/money-text.ts"
import { methodLabels, wholeDestination } from "#format/withdrawal-destination.ts"
import { BigAmount } from "#ui/big-amount.tsx"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { CopyableCode } from "#ui/facts.tsx"
import { useReaisParts } from "#ui/shown-amounts.ts"
import { Steps } from "#ui/steps.tsx"
import { CancelWithdrawalDialog } from "./cancel-withdrawal-dialog.tsx"
import { WithdrawalStatusBadge } from "./withdrawal-status-badge.tsx"
import { withdrawalSteps } from "./withdrawal-steps.ts"
import { WithdrawnSales } from "./withdrawn-sales.tsx"

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
            <Button look="quiet-danger" onClick={() => setCancelling(true)}>
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
