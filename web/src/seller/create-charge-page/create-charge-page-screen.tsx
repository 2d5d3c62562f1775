import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { detailOf, messageOf } from "#api/api-error.ts"
import { LoadFailure } from "#ui/load-failure.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Skeleton } from "#ui/skeleton.tsx"
import { BackLink } from "../back-link.tsx"
import { chargePageQuery } from "../charge-page-parts/charge-pages-data.ts"
import { sellerTexts } from "../seller-texts.ts"
import { CreateChargePageForm } from "./create-charge-page-form.tsx"
import { duplicateOf, emptyChargePage } from "./create-charge-page-schema.ts"

const route = getRouteApi("/session/checkouts/create")

export function CreateChargePageScreen() {
  const { from } = route.useSearch()
  return (
    <>
      <div>
        <BackLink to="/dashboard">Voltar ao painel</BackLink>
        <PageTitle title={from === undefined ? "Criar cobrança Pix" : "Duplicar cobrança"} />
        <p className="mt-1 text-t2">Crie um link de pagamento e envie para o seu cliente.</p>
      </div>
      {from === undefined ? <CreateChargePageForm start={emptyChargePage} /> : <Duplicate id={from} key={from} />}
    </>
  )
}

/** When the original can't be loaded the form is empty, under a notice: creating stays possible. */
function Duplicate({ id }: { id: string }) {
  const original = useQuery({
    ...chargePageQuery(id),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (original.isPending) {
    return (
      <div role="status" className="after-a-moment">
        <span className="sr-only">Carregando cobrança</span>
        <Skeleton className="h-96 w-full rounded-xl" />
      </div>
    )
  }
  if (original.isSuccess) return <CreateChargePageForm start={duplicateOf(original.data)} />
  return (
    <>
      <LoadFailure
        message={messageOf(original.error, sellerTexts.chargePageNotCopied)}
        detail={detailOf(original.error)}
        onRetry={() => void original.refetch()}
        busy={original.isFetching}
      />
      <CreateChargePageForm start={emptyChargePage} />
    </>
  )
}
