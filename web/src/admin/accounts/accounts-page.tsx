import { getRouteApi, Link } from "@tanstack/react-router"
import type { AccountView, BooksView } from "@tilinta/contract/accounts"
import { adminTexts } from "#admin/admin-texts.ts"
import { accountsSearch } from "#admin/search-params.ts"
import { inBooks } from "#admin/section-tabs.tsx"
import { saoPauloDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { Field } from "#ui/field.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { ListScreen, useListPage } from "#ui/list-screen.tsx"
import { DayInput } from "#ui/period-filter.tsx"
import { Switch } from "#ui/switch.tsx"
import { accountsQuery, amountText } from "./accounts-data.ts"

const AccountDialog = lazyDialog(() => import("./account-dialog.tsx"), "AccountDialog")

const route = getRouteApi("/session/admin/accounts")

const columnsOf = (showsSides: boolean): readonly Column<AccountView>[] => [
  {
    header: "Conta",
    area: "title",
    cell: ({ id, name }) => (
      <Link
        to="/admin/accounts"
        search={(old) => accountsSearch({ ...old, account: id })}
        aria-haspopup="dialog"
        className="row-link"
      >
        {name}
      </Link>
    ),
  },
  {
    header: "Saldo",
    area: "amount",
    end: true,
    cell: ({ kind, balance }) => (
      <b className="font-semibold whitespace-nowrap tabular-nums">{amountText(kind, balance, showsSides)}</b>
    ),
  },
]

export function AccountsPage() {
  const { asOf, account, show } = route.useSearch()
  const showsSides = show === "sides"
  const { list, set, screen } = useListPage(route, {
    query: accountsQuery(asOf),
    failed: adminTexts.accountsFailed,
    waiting: { rows: 8, label: "Carregando contas" },
  })
  const today = saoPauloDay(new Date())
  return (
    <ListScreen
      {...inBooks}
      title="Contas"
      intro="O plano de contas: o que o banco guarda, e de quem é cada centavo."
      {...screen}
      filters={
        <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-2 px-2 md:px-3.5">
          <Field label="Saldos no fim de">
            {(control) => (
              <DayInput
                {...control}
                value={asOf ?? today}
                max={today}
                onDay={(day) => set({ asOf: day === today ? undefined : day })}
              />
            )}
          </Field>
          <Switch
            label="Débito e crédito (D e C)"
            checked={showsSides}
            onChange={({ target }) => set({ show: target.checked ? "sides" : undefined })}
          />
        </div>
      }
    >
      {list.data !== undefined && (
        <>
          <Equation equation={list.data.equation} />
          {list.data.uncoveredDebts > 0 && (
            <p role="alert" className="mb-2 px-4 text-label font-semibold text-coral">
              Dívidas de vendedores acima das taxas: {formatReais(list.data.uncoveredDebts)}. O dinheiro de outros
              vendedores paga a diferença até que ela volte.
            </p>
          )}
          <DataTable
            caption="Contas"
            columns={columnsOf(showsSides)}
            rows={list.data.accounts}
            rowKey={({ id }) => id}
            dimmed={list.isPlaceholderData}
          />
        </>
      )}
      {account !== undefined && (
        <AccountDialog key={account} id={account} showsSides={showsSides} onClose={() => set({ account: undefined })} />
      )}
    </ListScreen>
  )
}

function Equation({ equation }: { equation: BooksView["equation"] }) {
  const { bank, sellers, ours, waiting, difference } = equation
  return (
    <>
      <SumsLine
        stacked
        sums={[
          { term: "No banco", value: formatReais(bank) },
          { term: "= Dos vendedores", value: formatReais(sellers) },
          { term: "+ Nosso", value: formatReais(ours) },
          { term: "+ A conferir e em trânsito", value: formatReais(waiting) },
        ]}
      />
      <p
        role={difference === 0 ? undefined : "alert"}
        className={`mb-2 px-4 text-label ${difference === 0 ? "text-t2" : "font-semibold text-coral"}`}
      >
        {difference === 0
          ? "As contas fecham: a diferença é zero."
          : `As contas não fecham: faltam ou sobram ${formatReais(difference)}.`}
      </p>
    </>
  )
}
