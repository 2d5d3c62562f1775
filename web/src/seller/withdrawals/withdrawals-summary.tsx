import { type SellerWithdrawalStatus, sellerWithdrawalFilterWords } from "@tilinta/contract/vocabulary/withdrawals"
import type { ReactNode } from "react"
import "#styles/withdrawals-summary.css"
import { BalanceAmount, balanceCardClass } from "#seller/dashboard/summary-cards.tsx"
import { StatValue, useReais } from "#ui/amounts.tsx"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"

const labels = {
  pending: "Pendente",
  approved: "Aprovado",
  completed: "Concluído",
  rejected: "Rejeitado",
  cancelled: "Cancelado",
} as const satisfies Record<SellerWithdrawalStatus, string>

export const withdrawalStatusOptions = sellerWithdrawalFilterWords.map((word) => ({ word, label: labels[word] }))

const tones = {
  pending: "warning",
  approved: "success",
  completed: "success",
  rejected: "danger",
  cancelled: "danger",
} as const satisfies Record<SellerWithdrawalStatus, BadgeTone>

export function WithdrawalStatusBadge({ status }: { status: SellerWithdrawalStatus }) {
  return <Badge tone={tones[status] ?? "secondary"}>{labels[status] ?? status}</Badge>
}

interface Props {
  summary: { available: number; inProgress: number; withdrawn: number; blocked: number; toCome: number } | undefined
  waiting: boolean
}

/** By the number of cards next to the balance. */
const columnsOf: Record<number, string> = {
  2: "lg:grid-cols-[1.75fr_1fr_1fr]",
  3: "lg:grid-cols-[1.75fr_1fr_1fr_1fr]",
  4: "lg:grid-cols-[1.75fr_1fr_1fr_1fr_1fr]",
}

export function WithdrawalsSummary({ summary, waiting }: Props) {
  const blocked = summary?.blocked ?? 0
  const toCome = summary?.toCome ?? 0
  const rest = 2 + Number(blocked > 0) + Number(toCome > 0)
  const isInDebt = summary !== undefined && summary.available < 0
  return (
    <section aria-label="Resumo" className={`money-strip grid grid-cols-2 gap-4 ${columnsOf[rest] ?? ""}`}>
      <article
        className={`col-span-full px-6 py-[22px] lg:col-span-1 ${isInDebt ? "in-debt" : ""} ${balanceCardClass(summary?.available)}`}
      >
        <h2 className="text-[14.5px] font-semibold text-t2">Saldo disponível</h2>
        {summary === undefined ? (
          waiting ? (
            <Skeleton className="mt-2 h-12 w-56" />
          ) : (
            <p className="mt-2 text-[25px] font-bold">–</p>
          )
        ) : (
          <BalanceAmount reais={summary.available} className="mt-2" />
        )}
      </article>
      {toCome > 0 && (
        <Stat title="A liberar" value={toCome} waiting={waiting}>
          livre nos próximos dias
        </Stat>
      )}
      {blocked > 0 && (
        <Stat title="Bloqueado" value={blocked} waiting={waiting}>
          contestado por pagadores
        </Stat>
      )}
      <Stat title="A caminho" value={summary?.inProgress} waiting={waiting}>
        pedidos ainda não concluídos
      </Stat>
      <Stat title="Já sacado" value={summary?.withdrawn} waiting={waiting} wide={rest % 2 === 1}>
        desde o início
      </Stat>
    </section>
  )
}

interface StatProps {
  title: string
  value: number | undefined
  waiting: boolean
  /** The last of three cards takes a whole line where two fit. */
  wide?: boolean
  children: ReactNode
}

function Stat({ title, value, waiting, wide = false, children }: StatProps) {
  const shown = useReais()
  return (
    <article
      className={`min-w-0 rounded-xl border border-line bg-s1 px-[18px] py-5 text-meta shadow-card ${wide ? "max-lg:col-span-full" : ""}`}
    >
      <h2 className="text-label font-semibold tracking-[-0.01em] text-t2">{title}</h2>
      {value === undefined && waiting ? (
        <Skeleton className="mt-3 mb-1 h-7 w-24" />
      ) : (
        <StatValue>{value === undefined ? "–" : shown(value)}</StatValue>
      )}
      <p className="mt-0.5 text-[13.5px] text-t3">{children}</p>
    </article>
  )
}
