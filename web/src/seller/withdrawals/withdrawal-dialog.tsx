import type { WithdrawalView } from "@tilinta/contract/api/withdrawals-endpoints"
import { useState } from "react"
import { formatDateTime } from "#format/date.ts"
import { BigAmount } from "#ui/big-amount.tsx"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { useReaisParts } from "#ui/shown-amounts.ts"
import { CancelWithdrawalDialog } from "./cancel-withdrawal-dialog.tsx"
import { methodLabels, wholeDestination } from "./destination.ts"
import { WithdrawalStatusBadge } from "./withdrawal-status-badge.tsx"
import { type Step, type StepState, withdrawalSteps } from "./withdrawal-steps.ts"

export function WithdrawalDialog({ withdrawal, onClose }: { withdrawal: WithdrawalView; onClose: () => void }) {
  const [cancelling, setCancelling] = useState(false)
  const facts = [
    { term: "Método", value: methodLabels[withdrawal.paymentMethod] },
    ...wholeDestination(withdrawal),
    ...(withdrawal.endToEndId === null ? [] : [{ term: "ID do PIX", value: withdrawal.endToEndId }]),
  ]
  return (
    <>
      <Dialog
        title="Saque"
        onClose={onClose}
        footer={
          withdrawal.status === "pending" ? (
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
        <dl className="mt-5 grid gap-2 border-t border-line pt-4 text-label">
          {facts.map(({ term, value }) => (
            <div key={term} className="flex justify-between gap-6">
              <dt className="flex-none text-t3">{term}</dt>
              <dd className="min-w-0 text-right font-semibold wrap-anywhere tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        <h3 className="mt-5 mb-4 border-t border-line pt-5 text-label font-semibold text-t2">Etapas</h3>
        <ol className="grid">
          {withdrawalSteps(withdrawal).map((step) => (
            <StepItem key={step.title} step={step} />
          ))}
        </ol>
      </Dialog>
      {cancelling && <CancelWithdrawalDialog withdrawal={withdrawal} onClose={() => setCancelling(false)} />}
    </>
  )
}

const marks = {
  done: "rounded-full bg-mint",
  current: "rounded-full border-[3px] border-amber",
  ahead: "rounded-full border-2 border-ctl",
  failed: "rotate-45 rounded-[2px] bg-coral",
} as const satisfies Record<StepState, string>

const spoken = {
  done: "feito",
  current: "em andamento",
  ahead: "ainda por vir",
  failed: "encerrado",
} as const satisfies Record<StepState, string>

function StepItem({ step }: { step: Step }) {
  const { title, state, at, note } = step
  return (
    <li
      aria-current={state === "current" ? "step" : undefined}
      className="group relative grid grid-cols-[12px_1fr] gap-x-3.5 pb-5 last:pb-0"
    >
      <span aria-hidden="true" className="absolute top-5 bottom-[-2px] left-[5px] w-0.5 bg-line-2 group-last:hidden" />
      <span aria-hidden="true" className={`mt-[5px] size-3 ${marks[state]}`} />
      <div className="min-w-0">
        <p className={`flex flex-wrap justify-between gap-x-4 ${state === "ahead" ? "text-t3" : "font-semibold"}`}>
          <span>
            {title}
            <span className="sr-only"> ({spoken[state]})</span>
          </span>
          {at !== null && <span className="text-meta font-normal text-t3 tabular-nums">{formatDateTime(at)}</span>}
        </p>
        {note !== undefined && <p className="mt-1 text-label break-words whitespace-pre-line text-t2">{note}</p>}
      </div>
    </li>
  )
}
