import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { MOST_WEBHOOKS } from "@tilinta/contract/vocabulary/events"
import { useRef, useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { createSubmissions } from "#api/client.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"
import { deleteWebhook, rotateSecret, type Webhook, type WebhookSecret, webhooksQuery } from "./developers-data.ts"
import { type WebhookAction, WebhookRow } from "./webhook-row.tsx"

const WebhookDialog = lazyDialog(() => import("./webhook-dialog.tsx"), "WebhookDialog")
const ResendDialog = lazyDialog(() => import("./resend-dialog.tsx"), "ResendDialog")
const DeliveriesDialog = lazyDialog(() => import("./deliveries-dialog.tsx"), "DeliveriesDialog")

type Open = { action: "create" } | { action: WebhookAction; webhook: Webhook }

interface Props {
  onSecret: (shown: WebhookSecret) => void
  onDeleted: (id: string) => void
}

export function WebhooksCard(props: Props) {
  const queryClient = useQueryClient()
  const webhooks = useQuery(webhooksQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const count = webhooks.data?.length ?? 0
  const addButton = (
    <Button icon="plus" onClick={() => setOpen({ action: "create" })}>
      Adicionar webhook
    </Button>
  )

  function close(): void {
    setOpen(null)
    void queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  }

  return (
    <Card className="p-5" aria-labelledby="webhooks">
      <CardHeader id="webhooks" title="Webhooks">
        {count > 0 && count < MOST_WEBHOOKS && addButton}
      </CardHeader>
      <p className="mt-1 text-label text-t3">
        Endereços do seu programa que recebem cada evento na hora, assinado. Nenhum se perde.
      </p>
      <QueryFailure query={webhooks} failed={sellerTexts.webhooksFailed} detailed className="mt-4" />
      {webhooks.isPending && <RowsSkeleton rows={2} label="Carregando webhooks" />}
      <ul className="mt-1">
        {webhooks.data?.map((webhook) => (
          <WebhookRow key={webhook._id} webhook={webhook} onAct={(action) => setOpen({ action, webhook })} />
        ))}
      </ul>
      {webhooks.data?.length === 0 && (
        <EmptyState icon="exchange" title="Nenhum webhook ainda" action={addButton}>
          Com um webhook, o seu programa sabe de um pagamento no mesmo instante, sem perguntar.
        </EmptyState>
      )}
      {open !== null && <OpenDialog {...props} open={open} onClose={close} />}
    </Card>
  )
}

function OpenDialog({ open, onSecret, onDeleted, onClose }: Props & { open: Open; onClose: () => void }) {
  function show(shown: WebhookSecret | null): void {
    if (shown !== null) onSecret(shown)
    else toast.success(sellerTexts.webhookSaved)
    onClose()
  }

  if (open.action === "create") return <WebhookDialog webhook={null} onSaved={show} onClose={onClose} />
  const { action, webhook } = open
  switch (action) {
    case "edit":
      return <WebhookDialog webhook={webhook} onSaved={show} onClose={onClose} />
    case "resend":
      return <ResendDialog webhook={webhook} onResent={onClose} onClose={onClose} />
    case "deliveries":
      return <DeliveriesDialog webhook={webhook} onClose={onClose} />
    case "rotate":
      return <RotateDialog webhook={webhook} onRotated={show} onClose={onClose} />
    case "delete":
      return <DeleteDialog webhook={webhook} onDeleted={onDeleted} onClose={onClose} />
  }
}

interface RotateProps {
  webhook: Webhook
  onRotated: (shown: WebhookSecret) => void
  onClose: () => void
}

function RotateDialog({ webhook: { _id, url }, onRotated, onClose }: RotateProps) {
  const submissions = useRef(createSubmissions())
  const rotate = useMutation({
    mutationFn: () => rotateSecret(_id, submissions.current(_id).key),
    onSuccess: onRotated,
    onError: (error) => toast.error(messageOf(error, sellerTexts.secretNotRotated), detailOf(error)),
  })
  return (
    <ConfirmDialog
      title="Trocar o segredo?"
      verb="Trocar segredo"
      variant="primary"
      busy={rotate.isPending}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p className="break-all">{url}</p>
      <p>
        Você recebe um segredo novo. Durante 24 horas o atual assina junto, para o seu programa mudar sem perder nada.
      </p>
    </ConfirmDialog>
  )
}

function DeleteDialog({ webhook, onDeleted, onClose }: Omit<RotateProps, "onRotated"> & Pick<Props, "onDeleted">) {
  const remove = useMutation({
    mutationFn: () => deleteWebhook(webhook._id),
    onSuccess: () => {
      onDeleted(webhook._id)
      toast.success(sellerTexts.webhookDeleted)
    },
    onError: (error) => toast.error(messageOf(error, sellerTexts.webhookNotDeleted), detailOf(error)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title="Excluir o webhook?"
      verb="Excluir webhook"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p className="break-all">{webhook.url}</p>
      <p>Nada mais é enviado para este endereço, e o registro das entregas é apagado. Isso não pode ser desfeito.</p>
    </ConfirmDialog>
  )
}
