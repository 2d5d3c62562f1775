import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { eventTypeLabels } from "@tilinta/contract/vocabulary/event-labels"
import { deliveryStateLabels } from "@tilinta/contract/vocabulary/webhooks"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/date.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { Icon } from "#ui/icon.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { toast } from "#ui/toast.ts"
import { failureDetail } from "../failure-detail.ts"
import { sellerTexts } from "../seller-texts.ts"
import { DeliveryDetails } from "./delivery-details.tsx"
import { type Delivery, deliveriesQuery, resendDelivery, type Webhook } from "./webhooks-data.ts"

const tones = {
  queued: "primary",
  retrying: "warning",
  delivered: "success",
  waiting: "danger",
} as const satisfies Record<Delivery["state"], BadgeTone>

export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  /** The cursors of the parts before the shown one. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [openId, setOpenId] = useState<string | null>(null)
  const part = useQuery(deliveriesQuery(webhook._id, cursors.at(-1)))
  const next = part.data?.next ?? null

  function show(shown: readonly string[]): void {
    setOpenId(null)
    setCursors(shown)
  }

  return (
    <Dialog title="Entregas" look="sheet" onClose={onClose}>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-6">
        <p className="font-mono text-[13px] break-all text-t2">{webhook.url}</p>
        {part.isError && (
          <div className="mt-4">
            <LoadFailure
              message={sellerTexts.deliveriesFailed}
              detail={failureDetail(part.error)}
              onRetry={() => void part.refetch()}
              busy={part.isFetching}
            />
          </div>
        )}
        {part.isPending && <RowsSkeleton rows={5} label="Carregando entregas" />}
        <ul className="mt-2">
          {part.data?.deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery._id}
              delivery={delivery}
              isOpen={delivery._id === openId}
              onToggle={() => setOpenId(delivery._id === openId ? null : delivery._id)}
            />
          ))}
        </ul>
        {part.data?.deliveries.length === 0 && (
          <EmptyState icon="open" title="Nenhuma entrega ainda">
            O próximo evento da sua conta aparece aqui em instantes. Com “Enviar teste” você confere o endereço já.
          </EmptyState>
        )}
        {(cursors.length > 0 || next !== null) && (
          <div className="mt-4 flex justify-between gap-3">
            <Button onClick={() => show(cursors.slice(0, -1))} disabled={cursors.length === 0}>
              Mais novas
            </Button>
            <Button onClick={() => next !== null && show([...cursors, next])} disabled={next === null}>
              Mais antigas
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

interface RowProps {
  delivery: Delivery
  isOpen: boolean
  onToggle: () => void
}

function DeliveryRow({ delivery, isOpen, onToggle }: RowProps) {
  const { _id, type, sequence, state, createdAt, lastStatus } = delivery
  const detailsId = `delivery-${_id}`
  const resend = useResend(_id)
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={onToggle}
        className="-mx-3 flex min-h-14 w-[calc(100%+24px)] items-center gap-3 rounded-m px-3 py-2 text-left hover:bg-s2"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{eventTypeLabels[type]}</span>
          <span className="block text-meta text-t3 tabular-nums">
            nº {sequence} · {formatDateTime(createdAt)}
            {lastStatus !== null && ` · status ${lastStatus}`}
          </span>
        </span>
        <Badge tone={tones[state]}>{deliveryStateLabels[state]}</Badge>
        <Icon name="chevronDown" className={`size-5 text-t3 transition-transform ${isOpen ? "rotate-180" : ""}`} />
      </button>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && (
          <div className="grid gap-4 pt-1 pb-4">
            <div>
              <Button icon="refresh" onClick={() => resend.mutate()} disabled={resend.isPending}>
                {resend.isPending ? "Reenviando..." : "Reenviar"}
              </Button>
            </div>
            <DeliveryDetails id={_id} />
          </div>
        )}
      </div>
    </li>
  )
}

function useResend(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => resendDelivery(id),
    onSuccess: () => toast.success(sellerTexts.deliveryResent),
    onError: (error) => toast.error(messageOf(error, sellerTexts.webhookNotResent), detailOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["seller", "webhooks"] }),
  })
}
