import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { PushSubscriptionView } from "@tilinta/contract/push"
import type { UserView } from "@tilinta/contract/users"
import { actingShopOf } from "#api/acting-shop.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { canPush, pushedTo, subscribe, unsubscribe } from "#api/push.ts"
import { formatDateTime } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { Switch } from "#ui/switch.tsx"
import { toast } from "#ui/toast.ts"

const subscriptionsQuery = queryOptions({
  queryKey: ["seller", "push-subscriptions"],
  queryFn: async ({ signal }) => (await call(heads.listPushSubscriptions, { signal })).data.subscriptions,
})

export function PushCard({ user }: { user: UserView }) {
  const subscriptions = useQuery(subscriptionsQuery)
  const known = subscriptions.data
  const own = known?.find(({ isCurrent }) => isCurrent)
  return (
    <Card aria-labelledby="push" className="p-5">
      <CardHeader id="push" title="Avisos no aparelho" />
      <p className="mt-0.5 mb-2 text-label text-t3">{pushedTo(user, actingShopOf(user).role)}</p>
      <QueryFailure query={subscriptions} failed="Não foi possível carregar os aparelhos." detailed className="mt-2" />
      {known !== undefined && <ThisDevice own={own} />}
      <ul>
        {known
          ?.filter(({ isCurrent }) => !isCurrent)
          .map((subscription) => (
            <OtherDevice key={subscription._id} subscription={subscription} />
          ))}
      </ul>
    </Card>
  )
}

function useChange<Input>(mutationFn: (input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onError: (error) => {
      const isDenied = error instanceof DOMException && error.name === "NotAllowedError"
      if (isDenied) toast.error("O navegador não deixou. Permita os avisos deste site nas configurações dele.")
      else toast.error(messageOf(error, "Não foi possível mudar os avisos."), detailOf(error))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: subscriptionsQuery.queryKey }),
  })
}

function ThisDevice({ own }: { own: PushSubscriptionView | undefined }) {
  const turn = useChange((isOn: boolean) => (isOn || own === undefined ? subscribe(false) : unsubscribe(own)))
  const hide = useChange(subscribe)
  const test = useChange(async (id: string) => {
    const { isSent } = (await call(heads.testPushSubscription, { params: { id } })).data
    if (isSent) toast.success("Aviso de teste enviado.")
    else toast.error("O serviço de avisos do navegador não respondeu. Desligue e ligue de novo.")
  })
  if (!canPush())
    return (
      <p className="text-label text-t2">
        Este navegador não recebe avisos. No iPhone, adicione a página à Tela de Início antes.
      </p>
    )
  return (
    <>
      <Switch
        label="Receber neste aparelho"
        checked={own !== undefined}
        disabled={turn.isPending}
        onChange={({ target }) => turn.mutate(target.checked)}
      />
      {own !== undefined && (
        <>
          <Switch
            label="Esconder valores"
            hint="Quem vê a tela bloqueada não lê quanto você vendeu."
            checked={own.hideAmounts}
            disabled={hide.isPending}
            onChange={({ target }) => hide.mutate(target.checked)}
          />
          <Button className="mt-3 w-full" disabled={test.isPending} onClick={() => test.mutate(own._id)}>
            Testar
          </Button>
        </>
      )}
    </>
  )
}

function OtherDevice({ subscription }: { subscription: PushSubscriptionView }) {
  const end = useChange(unsubscribe)
  const { device, createdAt } = subscription
  return (
    <li className="flex items-center justify-between gap-3 border-t border-line py-3">
      <div className="min-w-0">
        <p className="font-semibold">{device}</p>
        <p className="text-meta text-t3 tabular-nums">Desde {formatDateTime(createdAt)}</p>
      </div>
      <Button
        variant="ghost"
        className="flex-none px-3"
        aria-label={`Desligar os avisos em ${device}`}
        disabled={end.isPending}
        onClick={() => end.mutate(subscription)}
      >
        Desligar
      </Button>
    </li>
  )
}
