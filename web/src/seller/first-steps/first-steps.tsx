import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { TransactionsSummary } from "@tilinta/contract/transactions"
import type { UserView } from "@tilinta/contract/users"
import { call } from "#api/client.ts"
import { IconButton } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { hasSharedLink, hidesFirstSteps, type Step, stepsOf } from "./steps.ts"

interface Props {
  user: UserView
  summary: TransactionsSummary
  chargePages: number
}

/** Shown until every step is done or the seller dismisses it. */
export function FirstSteps({ user, summary, chargePages }: Props) {
  const isHidden = hidesFirstSteps.use()
  const hasShared = hasSharedLink.use()
  const withdrawals = useQuery({
    queryKey: ["seller", "withdrawals", "any"],
    queryFn: async ({ signal }) =>
      (await call(heads.listWithdrawals, { query: { page: "1", limit: "1" }, signal })).results,
    enabled: !isHidden,
  })
  if (isHidden || withdrawals.data === undefined) return null
  const { account, pixKey } = user.bankAccount
  const steps = stepsOf({
    chargePages,
    transactions: summary.count,
    hasShared,
    hasBankData: account !== "" || pixKey !== "",
    payments: summary.paidCount,
    withdrawals: withdrawals.data,
  })
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <Card className="p-5 pb-2 md:px-6" aria-labelledby="first-steps">
      <CardHeader title="Primeiros passos" id="first-steps">
        <span className="flex items-center gap-2 text-meta text-t3 tabular-nums">
          {done} de {steps.length}
          <IconButton icon="close" label="Dispensar primeiros passos" onClick={hidesFirstSteps.toggle} />
        </span>
      </CardHeader>
      <ol className="mt-1">
        {steps.map((step) => (
          <Row key={step.title} step={step} />
        ))}
      </ol>
    </Card>
  )
}

function Row({ step: { title, hint, to, isDone } }: { step: Step }) {
  return (
    <li className="flex min-h-14 items-center gap-3.5 border-t border-line py-2 first:border-0">
      <span
        aria-hidden="true"
        className={`grid size-7 flex-none place-items-center rounded-full ${isDone ? "bg-mint-bg text-mint" : "border border-ctl"}`}
      >
        {isDone && <Icon name="check" className="size-4 stroke-[2.6]" />}
      </span>
      {isDone ? (
        <p className="font-semibold text-t3">
          {title}
          <span className="sr-only"> (feito)</span>
        </p>
      ) : (
        <Link to={to} className="group flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-m">
          <span className="min-w-0 flex-1">
            <b className="block font-semibold underline-offset-4 group-hover:underline">{title}</b>
            <span className="block text-meta text-t3">{hint}</span>
          </span>
          <Icon name="chevronRight" className="size-5 text-mint" />
        </Link>
      )}
    </li>
  )
}
