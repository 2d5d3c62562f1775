import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { sumOf } from "#admin/withdrawals/batch.ts"
import { withdrawalsKey } from "#admin/withdrawals/withdrawals-data.ts"
import { countOf, formatReais } from "#format/money-text.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { BankStatement } from "./bank-statement.tsx"
import { payableQuery } from "./batch-data.ts"
import { ChoosePayouts } from "./choose-payouts.tsx"
import { type Outcome, PayoutStep } from "./payout-step.tsx"
import { RemittanceCard } from "./remittance-card.tsx"

/** Payments by hand one after the other: each as a code that the bank's app reads from the screen. */
export function PayoutBatchPage() {
  const payable = useQuery(payableQuery)
  const [queue, setQueue] = useState<readonly AdminWithdrawalView[] | null>(null)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  return (
    <>
      <div>
        <Link
          to="/admin/withdrawals"
          className="inline-flex min-h-11 items-center gap-2 justify-self-start rounded-m pr-2 text-label font-semibold text-t2 hover:text-t1"
        >
          <Icon name="arrowLeft" className="size-[18px]" />
          Voltar aos saques
        </Link>
        <PageTitle title="Pagar lote" />
        {queue === null && (
          <p className="mt-1 max-w-prose text-t2">
            Saques aprovados que se pagam no banco, um depois do outro: o aplicativo do banco lê o código da tela.
          </p>
        )}
      </div>
      {queue !== null && <Run key={queue.map(({ _id }) => _id).join()} queue={queue} onAgain={setQueue} />}
      {queue === null && <QueryFailure query={payable} failed={adminTexts.withdrawalsFailed} />}
      {queue === null && payable.isPending && (
        <Card className="p-2">
          <RowsSkeleton rows={5} label="Carregando saques a pagar" />
        </Card>
      )}
      {queue === null && payable.isSuccess && (
        <ChoosePayouts withdrawals={payable.data} left={left} onLeave={setLeft} onStart={setQueue} />
      )}
      {queue === null && payable.isSuccess && <RemittanceCard withdrawals={payable.data} left={left} />}
      {queue === null && <BankStatement />}
    </>
  )
}

interface RunProps {
  queue: readonly AdminWithdrawalView[]
  onAgain: (queue: readonly AdminWithdrawalView[] | null) => void
}

function Run({ queue, onAgain }: RunProps) {
  const queryClient = useQueryClient()
  const [position, setPosition] = useState(0)
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({})
  const current = queue[position]
  if (current === undefined) return <Result queue={queue} outcomes={outcomes} onAgain={onAgain} />
  return (
    <PayoutStep
      key={`${current._id}:${position}`}
      withdrawal={current}
      position={position}
      count={queue.length}
      outcome={outcomes[current._id] ?? null}
      onOutcome={(outcome) => {
        if (outcome !== null) setOutcomes({ ...outcomes, [current._id]: outcome })
        setPosition(position + 1)
        void queryClient.invalidateQueries({ queryKey: withdrawalsKey })
      }}
      onBack={position === 0 ? null : () => setPosition(position - 1)}
    />
  )
}

const outcomeBadges = {
  paid: { label: "Pago", tone: "success" },
  skipped: { label: "Pulado", tone: "secondary" },
  failed: { label: "Deu errado", tone: "danger" },
  pending: { label: "Espera outra pessoa", tone: "warning" },
} as const satisfies Record<Outcome, { label: string; tone: BadgeTone }>

interface ResultProps extends RunProps {
  outcomes: Readonly<Record<string, Outcome>>
}

function Result({ queue, outcomes, onAgain }: ResultProps) {
  const paid = queue.filter(({ _id }) => outcomes[_id] === "paid")
  const left = queue.filter(({ _id }) => (outcomes[_id] ?? "skipped") === "skipped")
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <p role="status" className="text-section font-[650]">
        {countOf(paid.length, "saque pago", "saques pagos")} · {formatReais(sumOf(paid))}
      </p>
      <ul className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
        {queue.map(({ _id, user, amount }) => {
          const { label, tone } = outcomeBadges[outcomes[_id] ?? "skipped"]
          return (
            <li key={_id} className="flex items-center justify-between gap-4 py-2.5">
              <span className="min-w-0 truncate font-semibold">{user.name}</span>
              <span className="flex flex-none items-center gap-3 tabular-nums">
                {formatReais(amount)}
                <Badge tone={tone}>{label}</Badge>
              </span>
            </li>
          )
        })}
      </ul>
      <div className="flex flex-wrap gap-3">
        {left.length > 0 && (
          <Button variant="primary" onClick={() => onAgain([...left])}>
            Pagar {left.length === 1 ? "o que ficou" : "os que ficaram"}
          </Button>
        )}
        <Link to="/admin/withdrawals" className={buttonClass(left.length > 0 ? "secondary" : "primary")}>
          Voltar aos saques
        </Link>
      </div>
    </Card>
  )
}
