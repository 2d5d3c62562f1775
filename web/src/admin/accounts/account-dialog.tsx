import { useInfiniteQuery } from "@tanstack/react-query"
import type { AccountPostingView, getAccountStatementEndpoint } from "@tilinta/contract/accounts"
import type { AccountKind } from "@tilinta/contract/vocabulary/books"
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
import { accountDayQuery, accountQuery, amountText, growsByDebits, naturalAmount } from "./accounts-data.ts"

type Row = ReplyOf<typeof getAccountStatementEndpoint>["data"]["rows"][number]

interface Notation {
  kind: AccountKind
  /** Amounts stand with D or C instead of a sign. */
  showsSides: boolean
}

const amount = (header: string, of: (row: Row) => string, area: Column<Row>["area"]): Column<Row> => ({
  header,
  area,
  end: true,
  cell: (row) => (
    <span className="whitespace-nowrap tabular-nums">
      <span className="hidden text-meta text-t3 cards:inline">{header} </span>
      {of(row)}
    </span>
  ),
})

function columnsOf({ kind, showsSides }: Notation, onOpen: ((day: string) => void) | null): readonly Column<Row>[] {
  const credits = (header: string) => amount(header, (row) => formatReais(row.credits), "date")
  const debits = (header: string) => amount(header, (row) => formatReais(row.debits), "status")
  const both = showsSides
    ? [debits("Débitos"), credits("Créditos")]
    : growsByDebits(kind)
      ? [debits("Entrou"), credits("Saiu")]
      : [credits("Entrou"), debits("Saiu")]
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
    ...both,
    amount("Saldo", ({ balance }) => amountText(kind, balance, showsSides), "amount"),
  ]
}

interface AccountDialogProps {
  id: string
  showsSides: boolean
  onClose: () => void
}

/** The days on which an account moved; each opens its postings. */
export function AccountDialog({ id, showsSides, onClose }: AccountDialogProps) {
  const [day, setDay] = useState<string | null>(null)
  const { data } = useInfiniteQuery(accountQuery(id))
  const { name = "Conta", kind = "bank" } = data?.pages[0]?.account ?? {}
  const notation = { kind, showsSides }
  return (
    <Dialog title={day === null ? name : `${name}, ${formatDay(day)}`} onClose={onClose}>
      {day === null ? (
        <Days id={id} notation={notation} onOpen={id === "seller-debt" ? null : setDay} />
      ) : (
        <>
          <Button className="mb-3" onClick={() => setDay(null)} autoFocus>
            Todos os dias
          </Button>
          <Postings id={id} day={day} notation={notation} />
        </>
      )}
    </Dialog>
  )
}

interface DaysProps {
  id: string
  notation: Notation
  /** Null for what sellers owe, which no posting books apart. */
  onOpen: ((day: string) => void) | null
}

function Days({ id, notation, onOpen }: DaysProps) {
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
      {rows.length > 0 && (
        <DataTable caption="Dias" columns={columnsOf(notation, onOpen)} rows={rows} rowKey={({ day }) => day} />
      )}
      <MoreButton list={list} className="mt-3 w-full">
        Mostrar mais antigos
      </MoreButton>
    </>
  )
}

function Postings({ id, day, notation }: { id: string; day: string; notation: Notation }) {
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
          <PostingItem key={`${posting.reference} ${at}`} posting={posting} notation={notation} />
        ))}
      </ul>
      <MoreButton list={list} className="mt-3 w-full">
        Mostrar mais
      </MoreButton>
    </>
  )
}

function PostingItem({ posting, notation }: { posting: AccountPostingView; notation: Notation }) {
  const { at, description, counterAccount, reference, amount: reais } = posting
  const { kind, showsSides } = notation
  return (
    <li className="flex items-baseline justify-between gap-4 py-2.5">
      <span className="min-w-0">
        {description}
        <span className="block text-meta text-t3">
          <span className="tabular-nums">{formatDateTime(at)}</span> · {counterAccount}
        </span>
        <span className="block font-mono text-[12.5px] break-all text-t3">{reference}</span>
      </span>
      <b
        className={`font-semibold whitespace-nowrap tabular-nums ${!showsSides && naturalAmount(kind, reais) > 0 ? "text-mint" : ""}`}
      >
        {amountText(kind, reais, showsSides)}
      </b>
    </li>
  )
}
