import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import type { AutomaticView } from "@tilinta/contract/mandates"
import type { CycleView, SubscriptionView } from "@tilinta/contract/subscriptions"
import { isOpenInvoice } from "@tilinta/contract/vocabulary/invoices"
import { useState } from "react"
import { formatDateTime, formatDay } from "#format/dates.ts"
import { countOf } from "#format/money-text.ts"
import { InvoiceBadge } from "#parts/invoices/invoice-badge.tsx"
import { BackLink } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { useRefreshMs } from "#seller/live/live-store.ts"
import { amountOf } from "#seller/receivables/receivables-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { lazyDialog, lazyPart } from "#ui/lazy-part.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { inlineLink, PageTitle } from "#ui/page-title.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import type { Question } from "./subscription-dialogs.tsx"
import { SubscriptionBadge } from "./subscription-table.tsx"
import { cyclesQuery, priceText, subscriptionQuery } from "./subscriptions-data.ts"

const SubscriptionDialogs = lazyDialog(() => import("./subscription-dialogs.tsx"), "SubscriptionDialogs")
const AutomaticCard = lazyPart(() => import("./automatic-card.tsx"), "AutomaticCard")
const SubscriptionFormPage = lazyPart(() => import("./subscription-form-page.tsx"), "SubscriptionFormPage")
const PlansPage = lazyPart(() => import("./plans-page.tsx"), "PlansPage")

const route = getRouteApi("/session/subscriptions/$id")

/** Fewer addresses for everybody's first load: `create` and `plans` are the ids of nothing. */
export function SubscriptionPage() {
  const { id } = route.useParams()
  const { customer } = route.useSearch()
  if (id === "plans") return <PlansPage />
  return id === "create" ? <SubscriptionFormPage customer={customer} /> : <SubscriptionById key={id} id={id} />
}

function SubscriptionById({ id }: { id: string }) {
  const opened = useQuery({ ...subscriptionQuery(id), refetchInterval: useRefreshMs() })
  return (
    <>
      <BackLink to="/subscriptions">Voltar às assinaturas</BackLink>
      {opened.data === undefined && <PageTitle title="Assinatura" className="sr-only" />}
      <OpenedRow query={opened} waiting="Carregando assinatura" failed={sellerTexts.subscriptionFailed}>
        {(found) => <Subscription found={found} />}
      </OpenedRow>
    </>
  )
}

interface Found {
  subscription: SubscriptionView
  automatic: AutomaticView | null
  automaticPix: boolean
}

function Subscription({ found: { subscription, automatic, automaticPix } }: { found: Found }) {
  const cycles = useQuery({ ...cyclesQuery(subscription._id), refetchInterval: useRefreshMs() })
  const [question, setQuestion] = useState<Question | null>(null)
  const openCount = (cycles.data ?? []).filter(({ invoice }) => isOpenInvoice(invoice.status)).length
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          <PageTitle title={subscription.customer.name} documentTitle="Assinatura" className="min-w-0" />
          <SubscriptionBadge status={subscription.status} />
        </div>
        <Actions subscription={subscription} onAsk={setQuestion} />
      </div>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
        <Cycles query={cycles} />
        <div className="grid gap-4">
          <Details subscription={subscription} />
          {(automaticPix || automatic !== null) && (
            <AutomaticCard subscription={subscription} automatic={automatic} cycles={cycles.data ?? []} />
          )}
        </div>
      </div>
      {question !== null && (
        <SubscriptionDialogs
          question={question}
          subscription={subscription}
          openCount={openCount}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  )
}

interface ActionsProps {
  subscription: SubscriptionView
  onAsk: (question: Question) => void
}

function Actions({ subscription: { status }, onAsk }: ActionsProps) {
  if (status === "completed" || status === "cancelled") return null
  return (
    <div className="flex flex-wrap gap-2 md:gap-3">
      <Button icon="edit" onClick={() => onAsk("edit")}>
        Editar
      </Button>
      {status === "paused" ? (
        <Button onClick={() => onAsk("resume")}>Retomar</Button>
      ) : (
        <Button onClick={() => onAsk("pause")}>Pausar</Button>
      )}
      <Button variant="quiet-danger" onClick={() => onAsk("cancel")}>
        Cancelar assinatura
      </Button>
    </div>
  )
}

const columns: readonly Column<CycleView & { _id: string }>[] = [
  {
    header: "Cobrança",
    area: "title",
    cell: ({ number, invoice }) => (
      <RowLink to="/receivables" search={{ invoice: invoice._id }} text={`${number}ª cobrança`} note="" />
    ),
  },
  { header: "Vencimento", area: "date", cell: ({ invoice }) => <DateCell text={formatDay(invoice.dueDate)} /> },
  amountColumn("Valor", ({ invoice }) => amountOf(invoice)),
  { header: "Status", area: "status", cell: ({ invoice }) => <InvoiceBadge state={invoice.state} /> },
]

function Cycles({ query }: { query: ReturnType<typeof useQuery<CycleView[]>> }) {
  const rows = (query.data ?? []).map((cycle) => ({ ...cycle, _id: cycle.invoice._id }))
  return (
    <Card className="p-2 pt-[18px]">
      <div className="px-4 pb-2 max-md:px-3">
        <CardHeader title="Cobranças" />
      </div>
      <QueryFailure query={query} failed={sellerTexts.invoicesFailed} className="mb-3 px-2" />
      {query.isPending && <RowsSkeleton rows={3} label="Carregando cobranças" />}
      {rows.length > 0 && <DataTable caption="Cobranças da assinatura" columns={columns} rows={rows} />}
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon="calendar" title="Nenhuma cobrança ainda">
          A primeira sai alguns dias antes do vencimento.
        </EmptyState>
      )}
    </Card>
  )
}

function Details({ subscription }: { subscription: SubscriptionView }) {
  const { title, customer, nextDueDate, cycles, issued, endsOn, leadDays, link, pausedAt, endedAt } = subscription
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <CardHeader title={title} />
      <p className="text-section font-[650] tabular-nums">{priceText(subscription)}</p>
      <CopyButton
        variant="secondary"
        text={link}
        label="Copiar a página do cliente"
        done={sellerTexts.linkCopied}
        failed={sellerTexts.listLinkNotCopied}
      />
      <Facts>
        {nextDueDate !== null && <Fact term="Próximo vencimento">{formatDay(nextDueDate)}</Fact>}
        {nextDueDate !== null && (
          <Fact term="A cobrança sai">{leadDays === 0 ? "No dia" : `${countOf(leadDays, "dia", "dias")} antes`}</Fact>
        )}
        <Fact term="Cobradas até agora">{cycles === null ? issued : `${issued} de ${cycles}`}</Fact>
        {endsOn !== null && <Fact term="Vai até">{formatDay(endsOn)}</Fact>}
        {pausedAt !== null && <Fact term="Pausada em">{formatDateTime(pausedAt)}</Fact>}
        {endedAt !== null && <Fact term="Terminou em">{formatDateTime(endedAt)}</Fact>}
        <Fact term="Começou em">{formatDateTime(subscription.createdAt)}</Fact>
        <Fact term="Cliente">
          <Link to="/customers/$id" params={{ id: customer._id }} className={inlineLink}>
            Ver cadastro
          </Link>
        </Fact>
      </Facts>
    </Card>
  )
}
