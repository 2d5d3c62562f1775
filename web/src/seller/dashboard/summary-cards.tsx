import { Link } from "@tanstack/react-router"
import type { TransactionsSummary } from "@tilinta/contract/transactions"
import { ownerAlone } from "@tilinta/contract/vocabulary/team"
import { countOf, formatCount } from "#format/money-text.ts"
import { BigAmount, StatCard, useReais, useReaisParts } from "#ui/amounts.tsx"
import { Icon } from "#ui/icon.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { Only } from "#ui/only.tsx"

interface Props {
  balance: number | undefined
  /** Disputed by payers, not part of the balance. */
  blocked: number
  /** Available on a later day, not part of the balance. */
  toCome: number
  summary: TransactionsSummary | undefined
  chargePages: { total: number; active: number } | undefined
  /** True while missing values may still arrive. */
  waiting: boolean
}

export function SummaryCards({ balance, blocked, toCome, summary, chargePages, waiting }: Props) {
  const shown = useReais()
  return (
    <section
      aria-label="Resumo"
      className="grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4 xl:grid-cols-[1.75fr_1fr_1fr_1fr]"
    >
      <BalanceCard balance={balance} blocked={blocked} toCome={toCome} summary={summary} />
      <StatCard
        title="Total recebido"
        value={summary && shown(summary.totalReceived)}
        note={summary && `em ${countOf(summary.paidCount, "pagamento", "pagamentos")}`}
        link={{ to: "/transactions", search: { status: "aprovado" } }}
        linkText="Ver recebidos"
        waiting={waiting}
      />
      <StatCard
        title="Cobranças criadas"
        value={chargePages && formatCount(chargePages.total)}
        note={chargePages && countOf(chargePages.active, "ativa agora", "ativas agora")}
        link={{ to: "/checkouts" }}
        linkText="Ver cobranças"
        waiting={waiting}
      />
      <StatCard
        title="Pagamentos pendentes"
        value={summary && formatCount(summary.pendingCount)}
        note={summary && (summary.pendingCount === 0 ? "nenhum pagamento pendente" : "aguardando o cliente")}
        link={{ to: "/transactions", search: { status: "pendente" } }}
        linkText="Ver pendentes"
        waiting={waiting}
        wide
      />
    </section>
  )
}

function BalanceCard({ balance, blocked, toCome, summary }: Pick<Props, "balance" | "blocked" | "toCome" | "summary">) {
  const shown = useReais()
  return (
    <article
      className={`col-span-full flex flex-col p-5 md:px-6 md:py-[22px] xl:col-span-1 ${balanceCardClass(balance)}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-[14.5px] font-semibold text-t2">Saldo disponível</h2>
        <Only roles={ownerAlone}>
          <Link
            to="/withdrawals"
            className="-my-3 inline-flex min-h-11 items-center gap-1 text-[13.5px] font-semibold text-mint underline-offset-4 hover:underline"
          >
            Solicitar Saque
            <Icon name="chevronRight" className="size-4 stroke-2" />
          </Link>
        </Only>
      </div>
      {balance === undefined ? (
        <Skeleton className="my-2 h-12 w-56" />
      ) : (
        <BalanceAmount reais={balance} className="mt-2 mb-4" />
      )}
      <dl className="mt-auto flex flex-wrap gap-x-6 gap-y-2 text-[13.5px]">
        <Detail term="Recebido hoje" value={summary && shown(summary.todayReceived)} />
        <Detail term="Pagamentos hoje" value={summary && formatCount(summary.todayPaidCount)} />
        {toCome > 0 && <Detail term="A liberar" value={shown(toCome)} />}
        {blocked > 0 && <Detail term="Bloqueado" value={shown(blocked)} />}
      </dl>
    </article>
  )
}

function Detail({ term, value }: { term: string; value: string | undefined }) {
  return (
    <div className="whitespace-nowrap">
      <dt className="text-[12.5px] text-t3">{term}</dt>
      <dd className="min-h-5 font-semibold tabular-nums">{value}</dd>
    </div>
  )
}

const base = "rounded-xl border shadow-card"
const inCredit =
  "border-mint-line bg-[radial-gradient(130%_150%_at_0%_0%,oklch(0.285_0.048_178)_0%,oklch(0.225_0.026_195)_46%,var(--color-s1)_100%)]"
const inDebt = "border-coral-line bg-s1"

/** The surface of a card that shows the available balance: mint, or coral for a debt. */
export function balanceCardClass(balance: number | undefined): string {
  return `${base} ${balance !== undefined && balance < 0 ? inDebt : inCredit}`
}

interface AmountProps {
  reais: number
  className?: string
}

/** The available balance; a negative one with its reason and with what happens now. */
export function BalanceAmount({ reais, className = "" }: AmountProps) {
  const isNegative = reais < 0
  return (
    <div className={className}>
      <BigAmount parts={useReaisParts(reais)} isNegative={isNegative} />
      {isNegative && (
        <p className="mt-2 max-w-[52ch] text-[13.5px] leading-snug text-t2">
          <b className="font-semibold text-coral">Saldo negativo.</b> O banco estornou ou bloqueou um pagamento cujo
          valor já tinha saído do saldo. Os próximos recebimentos cobrem a diferença; até lá, não é possível sacar nem
          estornar.
        </p>
      )}
    </div>
  )
}
