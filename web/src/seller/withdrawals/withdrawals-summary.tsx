import { type SellerWithdrawalStatus, sellerWithdrawalFilterWords } from "@tilinta/contract/vocabulary/withdrawals"
import type { ReactNode } from "react"
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

/** By the number of cards next to the balance. On a phone all are one card, so that the list begins high. */
const columnsOf: Record<number, string> = {
  2: "lg:grid-cols-[1.75fr_1fr_1fr]",
  3: "lg:grid-cols-[1.75fr_1fr_1fr_1fr]",
  4: "lg:grid-cols-[1.75fr_1fr_1fr_1fr_1fr]",
}

const onPhone =
  "max-md:flex max-md:items-baseline max-md:gap-1.5 max-md:border-0 max-md:bg-transparent max-md:bg-none max-md:shadow-none max-md:*:mt-0"

export function WithdrawalsSummary({ summary, waiting }: Props) {
  const blocked = summary?.blocked ?? 0
  const toCome = summary?.toCome ?? 0
  const rest = 2 + Number(blocked > 0) + Number(toCome > 0)
  const isInDebt = summary !== undefined && summary.available < 0
  return (
    <section
      aria-label="Resumo"
      className={`max-md:flex max-md:flex-wrap max-md:gap-x-4 max-md:rounded-xl max-md:border max-md:border-line max-md:bg-s1 max-md:px-4 max-md:py-2.5 md:grid md:grid-cols-2 md:gap-4 ${columnsOf[rest] ?? ""}`}
    >
      <article
        className={`max-md:w-full md:col-span-full md:px-6 md:py-[22px] lg:col-span-1 max-md:[&_.font-bold]:text-[21px] ${isInDebt ? "max-md:flex-wrap" : ""} ${balanceCardClass(summary?.available)} ${onPhone}`}
      >
        <h2 className="text-label font-semibold text-t2 md:text-[14.5px]">Saldo disponível</h2>
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
        <Stat title="A receber" value={toCome} waiting={waiting}>
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
      className={`min-w-0 rounded-xl border border-line bg-s1 text-meta shadow-card max-md:[&_div]:contents max-md:[&_p]:text-meta max-md:[&_p]:leading-5 md:px-[18px] md:py-5 ${wide ? "md:max-lg:col-span-full" : ""} ${onPhone}`}
    >
      <h2 className="text-t3 md:text-label md:font-semibold md:tracking-[-0.01em] md:text-t2">{title}</h2>
      {value === undefined && waiting ? (
        <Skeleton className="mt-3 mb-1 h-7 w-24" />
      ) : (
        <StatValue>{value === undefined ? "–" : shown(value)}</StatValue>
      )}
      <p className="mt-0.5 text-[13.5px] text-t3 max-md:hidden">{children}</p>
    </article>
  )
}
