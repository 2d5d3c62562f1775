import { useQuery } from "@tanstack/react-query"
import type { DestinationView } from "@tilinta/contract/api/destinations-endpoints"
import { ApiError } from "#api/api-error.ts"
import { formatDateTime } from "#format/date.ts"
import { destinationDetail, shortDestination, shownPixKey } from "#format/withdrawal-destination.ts"
import { Card, CardHeader } from "#ui/card.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { Skeleton } from "#ui/skeleton.tsx"
import { destinationsQuery } from "../destinations-data.ts"
import { failureDetail } from "../failure-detail.ts"
import { sellerTexts } from "../seller-texts.ts"

/** Keys and accounts to which the seller asked to be paid. */
export function DestinationsCard() {
  const known = useQuery(destinationsQuery)
  const destinations = known.data?.destinations ?? []
  // Closed to an administrator who has not protected the account yet, which the screen says by itself.
  if (known.error instanceof ApiError && known.error.status === 403) return null
  return (
    <Card aria-labelledby="destinations" className="p-5">
      <CardHeader id="destinations" title="Destinos de saque" />
      <p className="mt-0.5 text-label text-t3">Chaves e contas para onde você já pediu saques.</p>
      {known.isError && (
        <div className="mt-4">
          <LoadFailure
            message={sellerTexts.destinationsFailed}
            detail={failureDetail(known.error)}
            onRetry={() => void known.refetch()}
            busy={known.isFetching}
          />
        </div>
      )}
      {known.isPending && (
        <div role="status" className="after-a-moment mt-4">
          <span className="sr-only">Carregando destinos</span>
          <Skeleton className="h-12 w-full" />
        </div>
      )}
      {known.isSuccess && destinations.length === 0 && (
        <p className="mt-4 text-label text-t2">Nenhum ainda: o primeiro aparece com o seu primeiro saque.</p>
      )}
      <ul className="mt-2">
        {destinations.map((destination) => (
          <DestinationRow key={destination._id} destination={destination} />
        ))}
      </ul>
    </Card>
  )
}

const proofs = { password: "Confirmado com senha", second_factor: "Confirmado com segundo fator" } as const

function DestinationRow({ destination }: { destination: DestinationView }) {
  const { firstUsedAt, lastUsedAt, confirmedBy, heldUntil } = destination
  return (
    <li className="border-b border-line py-3 last:border-0">
      <p className="font-semibold wrap-anywhere">{shownPixKey(destination) || shortDestination(destination)}</p>
      <p className="text-meta text-t3">{destinationDetail(destination)}</p>
      <p className="text-meta text-t3 tabular-nums">Desde {formatDateTime(firstUsedAt)}</p>
      <p className="text-meta text-t3 tabular-nums">Usado em {formatDateTime(lastUsedAt)}</p>
      {confirmedBy !== null && <p className="text-meta text-t3">{proofs[confirmedBy]}</p>}
      {heldUntil !== null && (
        <p className="text-meta font-semibold text-amber">Novo: saques esperam até {formatDateTime(heldUntil)}</p>
      )}
    </li>
  )
}
