import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { DestinationView } from "@tilinta/contract/destinations"
import { useState } from "react"
import { ApiError, detailOf, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import { destinationDetail, shortDestination, shownPixKey } from "#format/withdrawal-texts.ts"
import { destinationsQuery, removeDestination } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { RowMenu, RowMenuItem } from "#ui/menu.tsx"
import { toast } from "#ui/toast.ts"

/** Keys and accounts to which the seller asked to be paid. */
export function DestinationsCard() {
  const known = useQuery(destinationsQuery)
  const destinations = known.data?.destinations ?? []
  const { removing, setRemoving, remove } = useRemoval()
  // Closed to an administrator who has not protected the account yet, which the screen says by itself.
  if (known.error instanceof ApiError && known.error.status === 403) return null
  return (
    <Card aria-labelledby="destinations" className="p-5">
      <CardHeader id="destinations" title="Destinos de saque" />
      <p className="mt-0.5 text-label text-t3">Chaves e contas para onde você já pediu saques.</p>
      <QueryFailure query={known} failed={sellerTexts.destinationsFailed} detailed className="mt-4" />
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
          <DestinationRow key={destination._id} destination={destination} onRemove={() => setRemoving(destination)} />
        ))}
      </ul>
      {removing !== null && (
        <ConfirmDialog
          title={`Remover ${nameOf(removing)}?`}
          verb="Remover"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(removing._id)}
          onClose={() => setRemoving(null)}
        >
          <p>
            O próximo saque para este destino espera como para um novo, e nenhuma chave de API saca para ele. Um saque
            que já foi pedido continua: cancele-o em “Saques”, se não for seu.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function useRemoval() {
  const queryClient = useQueryClient()
  const [removing, setRemoving] = useState<DestinationView | null>(null)
  const remove = useMutation({
    mutationFn: removeDestination,
    onSuccess: () => toast.success(sellerTexts.destinationRemoved),
    onError: (error: Error) => toast.error(messageOf(error, sellerTexts.destinationNotRemoved), detailOf(error)),
    onSettled: async () => {
      setRemoving(null)
      await queryClient.invalidateQueries({ queryKey: destinationsQuery.queryKey })
    },
  })
  return { removing, setRemoving, remove }
}

function nameOf(destination: DestinationView): string {
  return shownPixKey(destination) || shortDestination(destination)
}

const proofs = { password: "Confirmado com senha", second_factor: "Confirmado com segundo fator" } as const

function DestinationRow({ destination, onRemove }: { destination: DestinationView; onRemove: () => void }) {
  const { firstUsedAt, lastUsedAt, confirmedBy, heldUntil } = destination
  return (
    <li className="flex items-start justify-between gap-3 border-b border-line py-3 last:border-0">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{nameOf(destination)}</p>
        <p className="text-meta text-t3">{destinationDetail(destination)}</p>
        <p className="text-meta text-t3 tabular-nums">Desde {formatDateTime(firstUsedAt)}</p>
        <p className="text-meta text-t3 tabular-nums">Usado em {formatDateTime(lastUsedAt)}</p>
        {confirmedBy !== null && <p className="text-meta text-t3">{proofs[confirmedBy]}</p>}
        {heldUntil !== null && (
          <p className="text-meta font-semibold text-amber">Novo: saques esperam até {formatDateTime(heldUntil)}</p>
        )}
      </div>
      <RowMenu of={nameOf(destination)}>
        <RowMenuItem icon="trash" isDanger onClick={onRemove}>
          Remover
        </RowMenuItem>
      </RowMenu>
    </li>
  )
}
