import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReminderOfToday } from "@tilinta/contract/reminders"
import { reminderChannelLabels, reminderStatusLabels } from "@tilinta/contract/vocabulary/reminders"
import { formatTime } from "#format/dates.ts"
import { formatCount } from "#format/money-text.ts"
import { InvoiceBadge } from "#parts/invoices/invoice-badge.tsx"
import { BackLink } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { useReais } from "#ui/amounts.tsx"
import { buttonClass } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { ReminderSteps } from "./reminder-steps.tsx"
import { reminderTexts, todaysQuery, useRemind } from "./reminders-data.ts"

export function RemindersPage() {
  return (
    <>
      <div>
        <BackLink to="/receivables">Voltar a A receber</BackLink>
        <PageTitle title="Lembretes" />
        <p className="mt-1 text-t2">Lembre quem deve: sozinho por e-mail, ou você pelo WhatsApp.</p>
      </div>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Today />
        <ReminderSteps />
      </div>
    </>
  )
}

function Today() {
  const query = useQuery(todaysQuery)
  const rows = query.data?.data.reminders ?? []
  const others = (query.data?.results ?? 0) - rows.length
  return (
    <Card className="grid gap-2 p-5 md:p-6">
      <CardHeader title="Para lembrar hoje" />
      <QueryFailure query={query} failed={reminderTexts.failed} />
      {query.isPending && <RowsSkeleton rows={3} label="Carregando lembretes de hoje" />}
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon="check" title="Ninguém para lembrar hoje">
          Aqui aparece quem tem uma cobrança vencendo ou vencida num dos dias da régua.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <p className="text-label text-t3">
            Um toque abre o WhatsApp com o texto pronto, e fica anotado que você lembrou.
          </p>
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <Row key={row.invoice._id} row={row} />
            ))}
          </ul>
          {others > 0 && (
            <p className="text-label text-t3">
              {others === 1 ? "Mais uma aparece" : `Mais ${formatCount(others)} aparecem`} aqui depois que você lembrar
              estas.
            </p>
          )}
        </>
      )}
    </Card>
  )
}

function Row({ row: { invoice, whatsappLink, reminder } }: { row: ReminderOfToday }) {
  const remind = useRemind()
  const reais = useReais()
  const { _id, customer, today, state } = invoice
  const verb = reminder === null ? "WhatsApp" : "WhatsApp de novo"
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <Link
          to="/receivables"
          search={{ invoice: _id }}
          className="inline-flex min-h-11 items-center font-semibold break-words underline-offset-4 hover:underline"
        >
          {customer.name}
        </Link>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label text-t2">
          <span className="tabular-nums">{reais(today.amount)}</span>
          <InvoiceBadge state={state} />
        </p>
        {reminder !== null && (
          <p className="mt-1 text-meta text-t3">
            {reminderChannelLabels[reminder.channel]}: {reminderStatusLabels[reminder.status].toLowerCase()}
            {reminder.sentAt !== null && ` às ${formatTime(reminder.sentAt)}`}
          </p>
        )}
      </div>
      <a
        href={whatsappLink}
        target="_blank"
        rel="noreferrer"
        aria-label={`${verb}: lembrar ${customer.name}`}
        onClick={() => remind.mutate({ id: _id, channel: "whatsapp" })}
        className={buttonClass(reminder === null ? "secondary" : "ghost", "whitespace-nowrap")}
      >
        <Icon name="share" />
        {verb}
      </a>
    </li>
  )
}
