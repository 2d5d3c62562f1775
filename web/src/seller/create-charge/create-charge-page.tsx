import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { PageTitle } from "#ui/page-title.tsx"
import { Skeleton } from "#ui/skeleton.tsx"
import { BackLink } from "../back-link.tsx"
import { chargePageQuery } from "../charge-pages/charge-pages-data.ts"
import { ChargeForm } from "./charge-form.tsx"
import { duplicateOf, emptyCharge } from "./create-charge-form.ts"

const route = getRouteApi("/session/checkouts/create")

export function CreateChargePage() {
  const { from } = route.useSearch()
  return (
    <>
      <div>
        <BackLink to="/dashboard">Voltar ao painel</BackLink>
        <PageTitle title={from === undefined ? "Criar cobrança PIX" : "Duplicar cobrança"} />
        <p className="mt-1 text-t2">Crie um link de pagamento e envie para o seu cliente.</p>
      </div>
      {from === undefined ? <ChargeForm start={emptyCharge} /> : <Duplicate id={from} key={from} />}
    </>
  )
}

/** A copy that can't be read is an empty form: creating goes on. */
function Duplicate({ id }: { id: string }) {
  const original = useQuery({
    ...chargePageQuery(id),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (original.isPending) return <Skeleton className="after-a-moment h-96 w-full rounded-xl" />
  return <ChargeForm start={original.data === undefined ? emptyCharge : duplicateOf(original.data)} />
}
