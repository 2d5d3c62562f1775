import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { RefundRequestView } from "@tilinta/contract/refund-requests"
import { managers } from "@tilinta/contract/vocabulary/team"
import { useState } from "react"
import { actingShopOf, mayAs } from "#api/acting-shop.ts"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { moneyKeys } from "#seller/seller-data.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { counterKey } from "./counter-data.ts"

const REFRESH_MS = 30_000
const notDecided = "Não foi possível decidir."

const refundRequestsQuery = queryOptions({
  queryKey: [...counterKey, "refund-requests"],
  queryFn: async ({ signal }) => (await call(heads.listRefundRequests, { signal })).data.refundRequests,
  refetchInterval: REFRESH_MS,
})

/** Renders nothing while none waits: most days have none. */
export function RefundRequests() {
  const user = useUser()
  const mayDecide = user !== null && mayAs(actingShopOf(user).role, managers)
  const { data = [] } = useQuery({ ...refundRequestsQuery, enabled: mayDecide })
  if (data.length === 0) return null
  return (
    <Card className="grid gap-3 p-5" aria-labelledby="refund-requests">
      <CardHeader id="refund-requests" title="Pedidos de estorno do balcão" />
      <ul className="grid divide-y divide-line">
        {data.map((request) => (
          <Request key={request._id} request={request} />
        ))}
      </ul>
    </Card>
  )
}

function Request({ request }: { request: RefundRequestView }) {
  const { transaction, reason, askedBy, askedAt } = request
  const [isConfirming, setIsConfirming] = useState(false)
  const queryClient = useQueryClient()
  const decision = useMutation({
    mutationFn: async (head: typeof heads.confirmRefundRequest | typeof heads.declineRefundRequest) => {
      await call(head, { params: { id: transaction._id, requestId: request._id } })
      return head
    },
    // The row goes, and what was said in it, also when somebody else was faster.
    onSuccess: (head) => toast.success(head === heads.confirmRefundRequest ? "Estorno solicitado" : "Pedido recusado"),
    onError: (error) => toast.error(messageOf(error, notDecided)),
    onSettled: () => {
      setIsConfirming(false)
      const keys = [...moneyKeys, counterKey]
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
    },
  })
  const amount = formatReais(transaction.amount)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="break-words">
          <b className="font-semibold tabular-nums">{amount}</b> · {transaction.description}
        </p>
        <p className="text-meta break-words text-t3">
          {askedBy.name} pediu em {formatDateTime(askedAt)}
          {reason !== "" && `: ${reason}`}
        </p>
        <FormAlert message={decision.error === null ? null : messageOf(decision.error, notDecided)} />
      </div>
      <span className="flex gap-2">
        <Button disabled={decision.isPending} onClick={() => decision.mutate(heads.declineRefundRequest)}>
          Recusar
        </Button>
        <Button variant="danger" disabled={decision.isPending} onClick={() => setIsConfirming(true)}>
          Estornar
        </Button>
      </span>
      {isConfirming && (
        <ConfirmDialog
          title={`Estornar ${amount}?`}
          verb={decision.isPending ? "Estornando..." : `Estornar ${amount}`}
          busy={decision.isPending}
          onConfirm={() => decision.mutate(heads.confirmRefundRequest)}
          onClose={() => setIsConfirming(false)}
        >
          <p>
            O valor sai do saldo da loja e volta para quem pagou. {askedBy.name} pediu; o estorno fica no seu nome. Não
            pode ser desfeito.
          </p>
        </ConfirmDialog>
      )}
    </li>
  )
}
