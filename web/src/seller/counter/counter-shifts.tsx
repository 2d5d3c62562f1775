import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { CounterDayView, CounterShiftView } from "@tilinta/contract/charges"
import * as heads from "@tilinta/contract/heads"
import { actingShopOf } from "#api/acting-shop.ts"
import { failureText } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { useUser } from "#api/session.ts"
import { formatDateTime, formatDay } from "#format/dates.ts"
import { countOf, formatReais } from "#format/money-text.ts"
import { Button, IconButton } from "#ui/button.tsx"
import { FormAlert } from "#ui/field.tsx"
import { counterKey } from "./counter-data.ts"

interface Props {
  day: CounterDayView
  onPrint: (shift: CounterShiftView) => void
}

/** The sales since the person last closed, also when that was yesterday. */
export function OwnShift({ day, onPrint }: Props) {
  const user = useUser()
  const queryClient = useQueryClient()
  const closing = useMutation({
    mutationFn: async () => (await call(heads.closeCounterShift)).data.shift,
    onSettled: () => queryClient.invalidateQueries({ queryKey: counterKey }),
  })
  const open = day.shifts.find(({ person, closedAt }) => closedAt === null && person._id === user?._id)
  const closed = closing.data ?? null
  return (
    <section aria-labelledby="own-shift" className="grid gap-3 rounded-xl border border-line bg-s1 p-5">
      <h2 id="own-shift" className="font-semibold">
        Seu turno
      </h2>
      {open === undefined ? (
        <p className="text-t2">Nenhuma venda paga desde o último fechamento.</p>
      ) : (
        <>
          <div className="flex flex-wrap justify-between gap-x-4 tabular-nums">
            <span className="text-t2">Desde {formatDateTime(open.firstSaleAt)}</span>
            <b className="font-semibold">{sumOf(open)}</b>
          </div>
          <Button variant="primary" disabled={closing.isPending} onClick={() => closing.mutate()}>
            {closing.isPending ? "Fechando..." : "Fechar turno"}
          </Button>
        </>
      )}
      <FormAlert message={failureText(closing.error, "O turno não foi fechado")} />
      {closed !== null && (
        <div role="status" className="flex flex-wrap items-center justify-between gap-3">
          <span>Turno fechado: {sumOf(closed)}</span>
          <Button icon="print" onClick={() => onPrint(closed)}>
            Imprimir turno
          </Button>
        </div>
      )}
    </section>
  )
}

/** Shifts that ended on the day, whole, and today's open ones. */
export function Shifts({ day: { shifts }, onPrint }: Props) {
  if (shifts.length === 0) return null
  return (
    <ul aria-label="Turnos" className="grid divide-y divide-line border-t border-line">
      {shifts.map((shift) => (
        <li key={`${shift.person._id} ${shift.closedAt}`} className="flex items-center justify-between gap-3 py-3">
          <span className="min-w-0">
            <span className="block truncate">{shift.person.name}</span>
            <span className="block text-meta text-t3">{periodOf(shift)}</span>
            <span className="block tabular-nums">{sumOf(shift)}</span>
          </span>
          {shift.closedAt !== null && (
            <IconButton
              icon="print"
              label={`Imprimir o turno de ${shift.person.name}`}
              onClick={() => onPrint(shift)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

export function Sums({ day: { people, count, amount } }: { day: CounterDayView }) {
  return (
    <dl className="grid gap-2 tabular-nums">
      {people.map(({ person, ...sum }) => (
        <Sum key={person._id} name={person.name} sum={sum} />
      ))}
      <Sum name="Total" sum={{ count, amount }} isTotal />
    </dl>
  )
}

function Sum({ name, sum, isTotal = false }: { name: string; sum: Sum; isTotal?: boolean }) {
  return (
    <div className={`flex justify-between gap-4 ${isTotal ? "font-semibold" : ""}`}>
      <dt>{name}</dt>
      <dd>{sumOf(sum)}</dd>
    </div>
  )
}

/** On the paper of a till, 80 mm wide: a shift, or the whole day. */
export function Printed({ day, shift }: { day: CounterDayView; shift: CounterShiftView | null }) {
  const user = useUser()
  return (
    <section aria-hidden="true" className="shift">
      {user !== null && <b>{actingShopOf(user).name}</b>}
      <b>{shift === null ? "Vendas do balcão" : "Fechamento do turno"}</b>
      <p>{shift === null ? `Vendas de ${formatDay(day.day)}` : periodOf(shift)}</p>
      <p>Impresso em {formatDateTime(new Date().toISOString())}</p>
      {shift === null ? (
        <Sums day={day} />
      ) : (
        <dl className="tabular-nums">
          <Sum name={shift.person.name} sum={shift} isTotal />
        </dl>
      )}
    </section>
  )
}

interface Sum {
  count: number
  amount: number
}

function sumOf({ count, amount }: Sum): string {
  return `${countOf(count, "venda", "vendas")} · ${formatReais(amount)}`
}

function periodOf({ firstSaleAt, closedAt }: CounterShiftView): string {
  const from = formatDateTime(firstSaleAt)
  return closedAt === null ? `Aberto desde ${from}` : `De ${from} a ${formatDateTime(closedAt)}`
}
