import type { DashboardReport } from "@tilinta/contract/reports"
import { countOf, formatCount, withMinus } from "#format/money-text.ts"
import { StatCard, useReais } from "#ui/amounts.tsx"

const percentFormat = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 2, signDisplay: "exceptZero" })

/** "+12,34%" */
export function growthText(percent: number): string {
  return `${withMinus(percentFormat.format(percent))}%`
}

interface Props {
  report: DashboardReport | undefined
  approved: number | undefined
  users: { active: number; inactive: number } | undefined
  /** True while missing values may still arrive. */
  waiting: boolean
}

export function DashboardCards({ report, approved, users, waiting }: Props) {
  const shown = useReais()
  return (
    <section
      aria-label="Resumo"
      className="grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-3 md:grid-cols-3 md:gap-4"
    >
      <StatCard
        title="Usuários cadastrados"
        value={report && formatCount(report.users)}
        note={users && usersNote(users)}
        link={{ to: "/admin/users" }}
        linkText="Ver usuários"
        waiting={waiting}
      />
      <StatCard
        title="Receita total"
        value={report && shown(report.revenue)}
        note="líquido das transações aprovadas"
        link={{ to: "/admin/transactions", search: { status: "approved" } }}
        linkText="Ver aprovadas"
        waiting={waiting}
      />
      <StatCard
        title="Transações"
        value={report && formatCount(report.transactions)}
        note={approved !== undefined && countOf(approved, "aprovada", "aprovadas")}
        link={{ to: "/admin/transactions" }}
        linkText="Ver transações"
        waiting={waiting}
      />
      <StatCard
        title="Saques pendentes"
        value={report && formatCount(report.pendingWithdrawals.count)}
        note={report && withdrawalsNote(report, shown)}
        link={{ to: "/admin/withdrawals", search: { status: "pending" } }}
        linkText="Ver pendentes"
        waiting={waiting}
      />
      <StatCard
        title="Páginas de cobrança"
        value={report && formatCount(report.chargePages)}
        note="de todos os vendedores"
        link={{ to: "/admin/checkout-pages" }}
        linkText="Ver páginas"
        waiting={waiting}
      />
      <StatCard
        title="Crescimento mensal"
        value={report && growthText(report.monthlyGrowth)}
        note="transações deste mês contra o anterior"
        link={{ to: "/admin/reports" }}
        linkText="Ver relatórios"
        waiting={waiting}
      />
    </section>
  )
}

function usersNote({ active, inactive }: { active: number; inactive: number }): string {
  const activeText = countOf(active, "ativo", "ativos")
  return inactive === 0 ? activeText : `${activeText} · ${countOf(inactive, "inativo", "inativos")}`
}

function withdrawalsNote({ pendingWithdrawals }: DashboardReport, shown: (reais: number) => string): string {
  return pendingWithdrawals.count === 0 ? "nada a decidir" : `${shown(pendingWithdrawals.amount)} a decidir`
}
