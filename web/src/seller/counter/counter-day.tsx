import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import type { CounterDayView, CounterSaleView, CounterShiftView } from "@tilinta/contract/charges"
import * as heads from "@tilinta/contract/heads"
import { type ReactNode, useEffect, useState } from "react"
import { createPortal, flushSync } from "react-dom"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { formatDateTime, saoPauloDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { Button, IconButton } from "#ui/button.tsx"
import { QueryFailure } from "#ui/card.tsx"
import { installFromSales, isInstallable } from "#ui/install-prompt.ts"
import { lazyPart } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { DayInput } from "#ui/period-filter.tsx"
import { TextDialog } from "#ui/text-dialog.tsx"
import { counterDayOf, counterKey } from "./counter-data.ts"
import { OwnShift, Printed, Shifts, Sums } from "./counter-shifts.tsx"
import { RefundRequests } from "./refund-requests.tsx"

const InstallOffer = lazyPart(() => import("../first-steps/install-offer.tsx"), "InstallOffer")

interface Props {
  /** A cashier sees today alone. */
  choosesDay: boolean
  onClose: () => void
}

/** A day's sales, the sum of each person, and their shifts. */
export function CounterDay({ choosesDay, onClose }: Props) {
  const today = saoPauloDay(new Date())
  // Null is today, also when that becomes another day.
  const [chosen, setChosen] = useState<string | null>(null)
  const day = useQuery({ ...counterDayOf(chosen ?? undefined), placeholderData: keepPreviousData })
  useEffect(() => {
    document.documentElement.dataset["shift"] = ""
    return () => {
      delete document.documentElement.dataset["shift"]
    }
  }, [])
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] content-start gap-5 p-4">
      <header className="flex items-center justify-between gap-3">
        <IconButton icon="arrowLeft" label="Voltar ao balcão" onClick={onClose} />
        <PageTitle title={chosen === null ? "Hoje no balcão" : "Vendas do balcão"} />
        <span className="size-11" />
      </header>
      {day.isError && <QueryFailure query={day} failed="As vendas do dia não foram carregadas." />}
      {day.data !== undefined && (
        <Day day={day.data} isToday={chosen === null}>
          {choosesDay && (
            <DayInput
              aria-label="Dia"
              value={chosen ?? today}
              max={today}
              onDay={(next) => setChosen(next === today ? null : next)}
            />
          )}
        </Day>
      )}
    </div>
  )
}

const undoLabels = {
  waiting: "Estorno pedido",
  confirmed: "Estorno confirmado",
  declined: "Estorno recusado",
  refused: "Estorno recusado pelo banco",
} as const

/** Nothing for what wasn't paid, or is refunded. */
function Undo({ sale: { status, refundRequest }, onAsk }: { sale: CounterSaleView; onAsk: () => void }) {
  const mayAsk =
    status === "pago" && (refundRequest === null || refundRequest === "declined" || refundRequest === "refused")
  return (
    <>
      {refundRequest !== null && <span className="text-meta text-t2">{undoLabels[refundRequest]}</span>}
      {mayAsk && (
        <Button variant="ghost" className="counter-undo" onClick={onAsk}>
          Pedir estorno
        </Button>
      )}
    </>
  )
}

function UndoDialog({ sale, onClose }: { sale: CounterSaleView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const refreshed = () => queryClient.invalidateQueries({ queryKey: counterKey })
  return (
    <TextDialog
      title={`Pedir o estorno de ${formatReais(sale.amount)}`}
      label="Motivo"
      hint="Opcional. Quem confirma lê isto."
      maxLength={140}
      verb="Pedir estorno"
      busyVerb="Pedindo..."
      onSend={async (reason) => {
        await call(heads.askForRefund, { params: { id: sale._id }, body: { reason } })
        await refreshed()
      }}
      failureOf={(error) => messageOf(error, "O estorno não foi pedido.")}
      onClose={onClose}
    >
      <p>Um dono ou gerente recebe um aviso e confirma. Até lá nada volta para quem pagou.</p>
    </TextDialog>
  )
}

function Day({ day, isToday, children }: { day: CounterDayView; isToday: boolean; children: ReactNode }) {
  const [asked, setAsked] = useState<CounterSaleView | null>(null)
  const [printed, setPrinted] = useState<CounterShiftView | null>(null)
  function print(shift: CounterShiftView | null): void {
    flushSync(() => setPrinted(shift))
    window.print()
  }
  return (
    <>
      <RefundRequests />
      {isToday && <OwnShift day={day} onPrint={print} />}
      <section aria-labelledby="sales-sum" className="grid gap-3 rounded-xl border border-line bg-s1 p-5">
        <div className="flex items-center justify-between gap-3">
          <h2 id="sales-sum" className="font-semibold">
            Soma das vendas
          </h2>
          <span className="counter-shift-day">{children}</span>
        </div>
        <Sums day={day} />
        <Button icon="print" onClick={() => print(null)}>
          Imprimir
        </Button>
        <Shifts day={day} onPrint={print} />
      </section>
      {isToday && day.count >= installFromSales && isInstallable() && <InstallOffer />}
      {day.sales.length === 0 ? (
        <p className="text-t2">Nenhuma venda neste dia.</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
          {day.sales.map((sale) => (
            <li key={sale._id} className="flex items-baseline justify-between gap-4 py-3">
              <span className="min-w-0">
                <span className="block truncate">{sale.description}</span>
                <span className="text-meta text-t3">
                  {formatDateTime(sale.createdAt)} · {sale.soldBy.name} · {sale.status}
                </span>
              </span>
              <span className="grid flex-none justify-items-end gap-1">
                <b className="font-semibold whitespace-nowrap tabular-nums">{formatReais(sale.amount)}</b>
                <Undo sale={sale} onAsk={() => setAsked(sale)} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {asked !== null && <UndoDialog sale={asked} onClose={() => setAsked(null)} />}
      {createPortal(<Printed day={day} shift={printed} />, document.body)}
    </>
  )
}
