import { useInfiniteQuery } from "@tanstack/react-query"
import type { getAccountStatementEndpoint } from "@tilinta/contract/api/accounts-endpoints"
import type { ReplyOf } from "#api/client.ts"
import { formatDay } from "#format/date.ts"
import { formatReais } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { adminTexts } from "../admin-texts.ts"
import { listFailure } from "../list-failure.ts"
import { accountQuery } from "./accounts-data.ts"

type Row = ReplyOf<typeof getAccountStatementEndpoint>["data"]["rows"][number]

const amount = (header: string, of: (row: Row) => number, area: Column<Row>["area"]): Column<Row> => ({
  header,
  area,
  end: true,
  cell: (row) => (
    <span className="whitespace-nowrap tabular-nums">
      <span className="hidden text-meta text-t3 cards:inline">{header} </span>
      {formatReais(of(row))}
    </span>
  ),
})

const columns: readonly Column<Row>[] = [
  { header: "Dia", area: "title", cell: ({ day }) => formatDay(day) },
  amount("Créditos", ({ credits }) => credits, "date"),
  amount("Débitos", ({ debits }) => -debits, "status"),
  amount("Saldo", ({ balance }) => balance, "amount"),
]

/** The days on which an account moved. */
export function AccountDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const list = useInfiniteQuery(accountQuery(id))
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  const failure = listFailure(list.error, adminTexts.accountFailed)
  return (
    <Dialog title={list.data?.pages[0]?.account.name ?? "Conta"} onClose={onClose}>
      {failure !== null && <LoadFailure {...failure} onRetry={() => void list.refetch()} busy={list.isFetching} />}
      {list.isPending && <RowsSkeleton rows={5} label="Carregando conta" />}
      {list.isSuccess && rows.length === 0 && (
        <p className="py-6 text-center text-t2">
          Nada moveu esta conta ainda. O que acabou de acontecer aparece em alguns segundos.
        </p>
      )}
      {rows.length > 0 && <DataTable caption="Dias" columns={columns} rows={rows} rowKey={({ day }) => day} />}
      {list.hasNextPage && (
        <Button className="mt-3 w-full" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Mostrar mais antigos
        </Button>
      )}
    </Dialog>
  )
}
