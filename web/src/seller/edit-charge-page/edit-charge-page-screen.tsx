import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import { isEditablePage } from "@tilinta/contract/vocabulary/charge-page-status"
import { ChargePageBadge } from "#ui/charge-page-badge.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Skeleton } from "#ui/skeleton.tsx"
import { BackLink } from "../back-link.tsx"
import { chargePageQuery } from "../charge-page-parts/charge-pages-data.ts"
import { ChargePageActions } from "./charge-page-actions.tsx"
import { ChargePageFailure } from "./charge-page-failure.tsx"
import { EditChargePageForm } from "./edit-charge-page-form.tsx"
import { FinishedChargePage } from "./finished-charge-page.tsx"
import { SuspendedChargePage } from "./suspended-charge-page.tsx"

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
