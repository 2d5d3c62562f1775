import { useMutation, useQueryClient } from "@tanstack/react-query"
import { eventTypeLabels, webhookHealthLabels, webhookProblemLabels } from "@tilinta/contract/vocabulary/events"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { RowMenu, RowMenuItem } from "#ui/menu.tsx"
import { toast } from "#ui/toast.ts"
import { sendTest, type TestOutcome, type Webhook, webhooksQuery } from "./developers-data.ts"

export type WebhookAction = "edit" | "rotate" | "resend" | "delete" | "deliveries"

const tones = {
  unused: "secondary",
  healthy: "success",
  failing: "danger",
  unconfirmed: "warning",
} as const satisfies Record<Webhook["health"], BadgeTone>

const shownTypes = 4

export function WebhookRow({ webhook, onAct }: { webhook: Webhook; onAct: (action: WebhookAction) => void }) {
  const { url, health } = webhook
  const queryClient = useQueryClient()
  const isUnconfirmed = health === "unconfirmed"
  const test = useMutation({
    mutationFn: (_isChallenge: boolean) => sendTest(webhook._id),
    onError: (error) => toast.error(messageOf(error, sellerTexts.webhookNotTested), detailOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  })
  return (
    <li className="grid gap-1 border-b border-line py-4 last:border-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 pt-2">
          <code className="min-w-0 font-mono text-[13px] break-all">{url}</code>
          <Badge tone={tones[health]}>{webhookHealthLabels[health]}</Badge>
        </p>
        <RowMenu of={url}>
          <RowMenuItem icon="edit" onClick={() => onAct("edit")}>
            Editar
          </RowMenuItem>
          <RowMenuItem icon="history" onClick={() => onAct("resend")}>
            Reenviar desde…
          </RowMenuItem>
          <RowMenuItem icon="refresh" onClick={() => onAct("rotate")}>
            Trocar segredo
          </RowMenuItem>
          <RowMenuItem icon="trash" isDanger onClick={() => onAct("delete")}>
            Excluir
          </RowMenuItem>
        </RowMenu>
      </div>
      <p className="text-label text-t2">{typesText(webhook)}</p>
      <HealthText webhook={webhook} />
      <div className="mt-2 flex flex-wrap gap-3 max-sm:grid max-sm:grid-cols-2">
        <Button onClick={() => onAct("deliveries")} aria-label={`Entregas para ${url}`}>
          Entregas
        </Button>
        <Button
          onClick={() => test.mutate(isUnconfirmed)}
          disabled={test.isPending}
          aria-label={`${isUnconfirmed ? "Confirmar de novo" : "Enviar teste para"} ${url}`}
        >
          {test.isPending ? "Enviando..." : isUnconfirmed ? "Confirmar de novo" : "Enviar teste"}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {test.data !== undefined && !test.isPending && <TestText outcome={test.data} isChallenge={test.variables} />}
      </div>
    </li>
  )
}

function typesText({ types }: Webhook): string {
  if (types.length === 0) return "Todos os eventos"
  const labels = types.map((type) => eventTypeLabels[type])
  const more = labels.length - shownTypes
  return [...labels.slice(0, shownTypes), ...(more > 0 ? [`e mais ${more}`] : [])].join(" · ")
}

function HealthText({ webhook }: { webhook: Webhook }) {
  const { health, failingSince, lastProblem, lastDeliveredAt, undelivered, formerSecretUntil } = webhook
  return (
    <div className="grid gap-0.5 text-meta text-t3 tabular-nums">
      {health === "unconfirmed" && (
        <>
          {lastProblem !== null && <p className="text-coral">{webhookProblemLabels[lastProblem]}</p>}
          <p>
            Nenhum evento é enviado antes de o seu programa responder a um <code>webhook.challenge</code> com a palavra
            de <code>data.challenge</code>. O que acontecer até lá é enviado depois.
          </p>
        </>
      )}
      {health !== "unconfirmed" && failingSince !== null && lastProblem !== null && (
        <p className="text-coral">
          {webhookProblemLabels[lastProblem]}, desde {formatDateTime(failingSince)}
        </p>
      )}
      {failingSince !== null && undelivered > 0 && (
        <p>
          {undelivered === 1 ? "1 entrega aguarda" : `${undeliveredText(undelivered)} entregas aguardam`} uma resposta
        </p>
      )}
      <p>
        {lastDeliveredAt === null
          ? `Cadastrado em ${formatDateTime(webhook.createdAt)}`
          : `Última entrega em ${formatDateTime(lastDeliveredAt)}`}
      </p>
      {formerSecretUntil !== null && <p>O segredo anterior assina junto até {formatDateTime(formerSecretUntil)}</p>}
    </div>
  )
}

/** The server counts no further than 1000. */
function undeliveredText(count: number): string {
  return count >= 1_000 ? "Mais de mil" : String(count)
}

interface TestTextProps {
  outcome: TestOutcome
  isChallenge: boolean
}

function TestText({ outcome: { isDelivered, status, durationMs, message, answer }, isChallenge }: TestTextProps) {
  return (
    <div className="mt-2 rounded-m border border-line bg-bg px-3.5 py-2.5 text-label">
      <p className={isDelivered ? "text-mint" : "text-coral"}>
        {isDelivered
          ? `${isChallenge ? "Confirmado" : "Teste entregue"}: status ${status}`
          : (message ?? sellerTexts.webhookNotTested)}
        <span className="text-t3"> · {durationMs} ms</span>
      </p>
      {!isDelivered && answer !== null && answer !== "" && (
        <pre className="mt-1 max-h-32 overflow-auto font-mono text-[12.5px] break-all whitespace-pre-wrap text-t3">
          {answer}
        </pre>
      )}
    </div>
  )
}
