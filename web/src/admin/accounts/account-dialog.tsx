import { useInfiniteQuery } from "@tanstack/react-query"
import type { AccountPostingView, getAccountStatementEndpoint } from "@tilinta/contract/accounts"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import type { ReplyOf } from "#api/client.ts"
import { formatDateTime, formatDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { MoreButton } from "#ui/list-screen.tsx"
import { accountDayQuery, accountQuery } from "./accounts-data.ts"

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

function columns(onOpen: ((day: string) => void) | null): readonly Column<Row>[] {
  return [
    {
      header: "Dia",
      area: "title",
      cell: ({ day }) =>
        onOpen === null ? (
          formatDay(day)
        ) : (
          <button type="button" className="row-link text-left" onClick={() => onOpen(day)}>
            {formatDay(day)}
            <span className="sr-only">: ver lançamentos</span>
          </button>
        ),
    },
    amount("Créditos", ({ credits }) => credits, "date"),
    amount("Débitos", ({ debits }) => -debits, "status"),
    amount("Saldo", ({ balance }) => balance, "amount"),
  ]
}

/** The days on which an account moved; each opens its postings. */
export function AccountDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [day, setDay] = useState<string | null>(null)
  const { data } = useInfiniteQuery(accountQuery(id))
  const name = data?.pages[0]?.account.name ?? "Conta"
  return (
    <Dialog title={day === null ? name : `${name}, ${formatDay(day)}`} onClose={onClose}>
      {day === null ? (
        <Days id={id} onOpen={id === "seller-debt" ? null : setDay} />
      ) : (
        <>
          <Button className="mb-3" onClick={() => setDay(null)} autoFocus>
            Todos os dias
          </Button>
          <Postings id={id} day={day} />
        </>
      )}
    </Dialog>
  )
}

/** `onOpen` is null for what sellers owe, which no posting books apart. */
function Days({ id, onOpen }: { id: string; onOpen: ((day: string) => void) | null }) {
  const list = useInfiniteQuery(accountQuery(id))
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <>
      <QueryFailure query={list} failed={adminTexts.accountFailed} />
      {list.isPending && <RowsSkeleton rows={5} label="Carregando conta" />}
      {list.isSuccess && rows.length === 0 && (
        <p className="py-6 text-center text-t2">
          Nada moveu esta conta ainda. O que acabou de acontecer aparece em alguns segundos.
        </p>
      )}
      {rows.length > 0 && <DataTable caption="Dias" columns={columns(onOpen)} rows={rows} rowKey={({ day }) => day} />}
      <MoreButton list={list} className="mt-3 w-full">
        Mostrar mais antigos
      </MoreButton>
    </>
  )
}

function Postings({ id, day }: { id: string; day: string }) {
  const list = useInfiniteQuery(accountDayQuery(id, day))
  const postings = list.data?.pages.flatMap((page) => page.postings ?? []) ?? []
  return (
    <>
      <QueryFailure query={list} failed={adminTexts.accountFailed} />
      {list.isPending && <RowsSkeleton rows={5} label="Carregando lançamentos" />}
      {list.isSuccess && postings.length === 0 && (
        <p className="py-6 text-center text-t2">Nenhum lançamento neste dia.</p>
      )}
      <ul className="grid divide-y divide-line text-label">
        {postings.map((posting, at) => (
          <PostingItem key={`${posting.reference} ${at}`} posting={posting} />
        ))}
      </ul>
      <MoreButton list={list} className="mt-3 w-full">
        Mostrar mais
      </MoreButton>
    </>
  )
}

function PostingItem({ posting }: { posting: AccountPostingView }) {
  const { at, description, counterAccount, reference } = posting
  return (
    <li className="flex items-baseline justify-between gap-4 py-2.5">
      <span className="min-w-0">
        {description}
        <span className="block text-meta text-t3">
          <span className="tabular-nums">{formatDateTime(at)}</span> · {counterAccount}
        </span>
        <span className="block font-mono text-[12.5px] break-all text-t3">{reference}</span>
      </span>
      <b className={`font-semibold whitespace-nowrap tabular-nums ${posting.amount > 0 ? "text-mint" : ""}`}>
        {formatReais(posting.amount)}
      </b>
    </li>
  )
}
