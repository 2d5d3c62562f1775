import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { deliveryStateLabels, eventTypeLabels } from "@tilinta/contract/vocabulary/events"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { CodeBlock } from "#ui/copy-button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"
import {
  attemptsQuery,
  type Delivery,
  type DeliveryAttempt,
  deliveriesQuery,
  resendDelivery,
  type Webhook,
} from "./developers-data.ts"

export function DeliveryDetails({ id }: { id: string }) {
  const known = useQuery(attemptsQuery(id))
  if (known.data === undefined) {
    if (!known.isError) return <RowsSkeleton rows={2} label="Carregando entrega" />
    return <QueryFailure query={known} failed={sellerTexts.deliveriesFailed} detailed />
  }

  const { delivery, body, attempts } = known.data
  const [last] = attempts
  return (
    <>
      <section aria-label="Tentativas" className="grid gap-2">
        <h3 className="text-label font-semibold text-t2">Tentativas</h3>
        {attempts.length === 0 && <p className="text-label text-t3">Ainda nenhuma.</p>}
        <ol className="grid gap-3">
          {attempts.map((attempt) => (
            <Attempt key={attempt.attemptedAt} attempt={attempt} />
          ))}
        </ol>
        {delivery.nextAttemptAt !== null && attempts.length > 0 && (
          <p className="text-meta text-t3 tabular-nums">Próxima: {formatDateTime(delivery.nextAttemptAt)}</p>
        )}
        {delivery.state === "waiting" && (
          <p className="text-meta text-t3">
            Todas as tentativas terminaram. A entrega é feita quando o endereço voltar a responder, ou com “Reenviar”.
          </p>
        )}
      </section>
      {last !== undefined && (
        <CodeBlock
          label="Cabeçalhos enviados"
          text={Object.entries(last.headers)
            .map((entry) => entry.join(": "))
            .join("\n")}
        />
      )}
      <CodeBlock label="Corpo enviado" text={readable(body)} copied={body} />
    </>
  )
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { attemptedAt, durationMs, status, message, answer } = attempt
  return (
    <li className="grid gap-1 text-label">
      <p className={message === null ? "text-mint" : "text-coral"}>
        {message ?? `Entregue: status ${status}`}
        <span className="text-t3 tabular-nums">
          {" "}
          · {formatDateTime(attemptedAt)} · {durationMs} ms
        </span>
      </p>
      {answer !== null && answer !== "" && <CodeBlock label="Resposta" text={answer} />}
    </li>
  )
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

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
    <Dialog title="Entregas" variant="sheet" onClose={onClose}>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-6">
        <p className="font-mono text-[13px] break-all text-t2">{webhook.url}</p>
        <QueryFailure query={part} failed={sellerTexts.deliveriesFailed} detailed className="mt-4" />
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
