import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/charge-pages"
import { isEditablePage, pageReportReasonLabels } from "@tilinta/contract/vocabulary/charge-pages"
import { failureDetail, hasStatus } from "#api/api-error.ts"
import { supportEmailQuery } from "#api/queries.ts"
import { formatDateTime } from "#format/dates.ts"
import { ChargePageBadge, PageAmount } from "#parts/charge-pages/charge-page-parts.tsx"
import { BackLink } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { chargePageQuery } from "#seller/charge-page-parts/charge-pages-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { ChargePageActions, ChargePageFacts } from "./charge-page-actions.tsx"
import { EditChargePageForm } from "./edit-charge-page-form.tsx"

function chargePageFailureText(error: unknown): string {
  if (hasStatus(error, 404)) return sellerTexts.chargePageNotFound
  if (hasStatus(error, 401)) return sellerTexts.sessionExpired
  if (hasStatus(error, 403)) return sellerTexts.chargePageForbidden
  return sellerTexts.chargePageFailed
}

interface Props {
  error: unknown
  busy: boolean
  onRetry: () => void
}

export function ChargePageFailure({ error, busy, onRetry }: Props) {
  const detail = failureDetail(error)
  const canHelp = !hasStatus(error, 404) && !hasStatus(error, 403)
  return (
    <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-4 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-l bg-coral-bg text-coral">
        <Icon name="alert" className="size-6" />
      </span>
      <PageTitle title={chargePageFailureText(error)} documentTitle="Cobrança" className="text-[22px]" />
      {canHelp && detail !== undefined && <p className="text-balance text-t2">{detail}</p>}
      <div className="flex flex-wrap justify-center gap-3">
        <Link to="/checkouts" className={buttonClass("secondary")}>
          <Icon name="arrowLeft" />
          Voltar às cobranças
        </Link>
        {canHelp && (
          <Button variant="primary" onClick={onRetry} disabled={busy}>
            Tentar novamente
          </Button>
        )}
      </div>
    </div>
  )
}

/** An administrator keeps payers away, so that only the support can help. */
export function SuspendedChargePage({ page }: { page: ChargePageView }) {
  const email = useQuery(supportEmailQuery).data
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <Card className="grid grid-cols-1 gap-5 p-5 md:p-6">
        <CardHeader title="Esta página está suspensa" />
        <div className="grid max-w-prose gap-3 text-t2">
          <p>
            Pagadores a denunciaram e um administrador a suspendeu
            {page.suspendedAt !== null && ` em ${formatDateTime(page.suspendedAt)}`}. Quem abre o link lê “Página
            suspensa” e não consegue pagar.
          </p>
          <p>
            O que já foi pago continua no seu saldo, e um pagamento que estava a caminho ainda é creditado. Os códigos
            Pix que estavam abertos foram encerrados.
          </p>
        </div>
        {page.suspendedFor !== null && (
          <dl className="rounded-m border border-line bg-bg px-4 py-3">
            <dt className="text-meta text-t3">Motivo</dt>
            <dd className="font-semibold">{pageReportReasonLabels[page.suspendedFor]}</dd>
          </dl>
        )}
        <p className="max-w-prose text-t2">
          Foi um engano? Escreva ao suporte, com o que mostra o que você vende e que você entrega. Só o suporte pode
          retirar a suspensão.
        </p>
        {email !== undefined && (
          <a
            href={`mailto:${email}?subject=${encodeURIComponent(`Página suspensa: ${page.uniqueLink}`)}`}
            className={buttonClass("primary", "justify-self-start max-sm:w-full")}
          >
            Escrever ao suporte
          </a>
        )}
      </Card>
      <ChargePageFacts page={page} />
    </div>
  )
}

/** Completed and cancelled are final, so the only way on is a copy. */
export function FinishedChargePage({ page }: { page: ChargePageView }) {
  const reason = page.status === "completed" ? "já recebeu todos os pagamentos que aceita" : "foi cancelada"
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <Card className="grid grid-cols-1 gap-5 p-5 md:p-6">
        <CardHeader title="Esta cobrança não pode mais ser editada" />
        <p className="max-w-prose text-t2">
          Ela {reason}. Para cobrar de novo, duplique a cobrança: os dados vêm preenchidos e o link é novo.
        </p>
        <dl className="rounded-m border border-line bg-bg px-4 py-3">
          <dt className="text-meta text-t3">Valor</dt>
          <dd className="text-[25px] font-bold tracking-[-0.03em] tabular-nums">
            <PageAmount amount={page.amount} />
          </dd>
          {page.description !== "" && (
            <>
              <dt className="mt-2 text-meta text-t3">Descrição</dt>
              <dd className="break-words whitespace-pre-line">{page.description}</dd>
            </>
          )}
        </dl>
        <Link
          to="/checkouts/create"
          search={{ from: page._id }}
          className={buttonClass("primary", "justify-self-start max-sm:w-full")}
        >
          <Icon name="duplicate" />
          Duplicar cobrança
        </Link>
      </Card>
      <ChargePageFacts page={page} />
    </div>
  )
}

const route = getRouteApi("/session/checkouts/$id")

export function EditChargePageScreen() {
  const { id } = route.useParams()
  // No refetch on focus: the server's values must not replace what is being typed.
  const page = useQuery({ ...chargePageQuery(id), refetchOnWindowFocus: false })

  if (page.data !== undefined) return <ChargePage key={page.data._id} page={page.data} />
  if (page.isError) {
    return <ChargePageFailure error={page.error} busy={page.isFetching} onRetry={() => void page.refetch()} />
  }
  return (
    <>
      <h1 className="sr-only">Cobrança</h1>
      <div role="status" className="after-a-moment grid gap-5">
        <span className="sr-only">Carregando...</span>
        <Skeleton className="h-9 w-72" />
        <Skeleton className="h-96 w-full rounded-xl" />
      </div>
    </>
  )
}

function ChargePage({ page }: { page: ChargePageView }) {
  const isSuspended = page.suspendedAt !== null
  const isFinished = isSuspended || !isEditablePage(page.status)
  return (
    <>
      <div>
        <BackLink to="/checkouts">Voltar às cobranças</BackLink>
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
            <PageTitle
              title={page.title}
              documentTitle={isFinished ? "Cobrança" : "Editar cobrança"}
              className="min-w-0"
            />
            <ChargePageBadge status={page.status} isSuspended={isSuspended} />
          </div>
          <ChargePageActions page={page} />
        </div>
      </div>
      {isSuspended && <SuspendedChargePage page={page} />}
      {isFinished && !isSuspended && <FinishedChargePage page={page} />}
      {!isFinished && <EditChargePageForm page={page} />}
    </>
  )
}
