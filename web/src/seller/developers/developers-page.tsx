import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { toast } from "#ui/toast.ts"
import { failureDetail } from "../failure-detail.ts"
import { sellerTexts } from "../seller-texts.ts"
import { ApiKeyRow } from "./api-key-row.tsx"
import { type ApiKey, apiKeysQuery, type CreatedApiKey, revokeApiKey } from "./api-keys-data.ts"
import { EventsCard } from "./events-card.tsx"
import { NewKeyCard } from "./new-key-card.tsx"
import { NewSecretCard } from "./new-secret-card.tsx"
import { ReturnOriginsCard } from "./return-origins-card.tsx"
import { SnippetsCard } from "./snippets-card.tsx"
import { WebhooksCard } from "./webhooks-card.tsx"
import type { WebhookSecret } from "./webhooks-data.ts"

const CreateKeyDialog = lazyDialog(() => import("./create-key-dialog.tsx").then((module) => module.CreateKeyDialog))

export function DevelopersPage() {
  const queryClient = useQueryClient()
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const [secret, setSecret] = useState<WebhookSecret | null>(null)

  function show(fresh: CreatedApiKey): void {
    setCreated(fresh)
    setIsCreating(false)
    void queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
  }

  return (
    <>
      <div className="mb-5 flex min-h-11 flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <div>
          <PageTitle title="Integrações" />
          <p className="mt-1 text-balance text-t2">Venda pela sua loja, pelo seu sistema ou por um robô.</p>
        </div>
        <a className={buttonClass("secondary")} href="/api/docs" target="_blank" rel="noopener">
          Referência da API
        </a>
      </div>
      {created !== null && <NewKeyCard key={created.key} created={created} onClose={() => setCreated(null)} />}
      {secret !== null && <NewSecretCard key={secret.secret} shown={secret} onClose={() => setSecret(null)} />}
      <KeysCard
        onCreate={() => setIsCreating(true)}
        onRevoked={(id) => setCreated((shown) => (shown?.apiKey._id === id ? null : shown))}
      />
      <SnippetsCard created={created} />
      <WebhooksCard
        onSecret={setSecret}
        onDeleted={(id) => setSecret((shown) => (shown?.webhook._id === id ? null : shown))}
      />
      <ReturnOriginsCard />
      <EventsCard />
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} onCreated={show} />}
    </>
  )
}

interface KeysProps {
  onCreate: () => void
  onRevoked: (id: string) => void
}

function KeysCard({ onCreate, onRevoked }: KeysProps) {
  const keys = useQuery(apiKeysQuery)
  const [asking, setAsking] = useState<ApiKey | null>(null)
  const revoke = useRevoke(onRevoked, () => setAsking(null))
  const createButton = (
    <Button look="primary" icon="plus" onClick={onCreate}>
      Criar chave
    </Button>
  )

  return (
    <Card className="p-5" aria-labelledby="api-keys">
      <CardHeader id="api-keys" title="Chaves de API">
        {keys.data !== undefined && keys.data.length > 0 && createButton}
      </CardHeader>
      <p className="mt-1 text-label text-t3">
        Um programa com uma destas chaves age em nome da sua conta, e só no que ela permite.
      </p>
      {keys.isError && (
        <div className="mt-4">
          <LoadFailure
            message={sellerTexts.apiKeysFailed}
            detail={failureDetail(keys.error)}
            onRetry={() => void keys.refetch()}
            busy={keys.isFetching}
          />
        </div>
      )}
      {keys.isPending && <RowsSkeleton rows={3} label="Carregando chaves" />}
      <ul className="mt-2">
        {keys.data?.map((apiKey) => (
          <ApiKeyRow key={apiKey._id} apiKey={apiKey} onRevoke={() => setAsking(apiKey)} />
        ))}
      </ul>
      {keys.data?.length === 0 && (
        <EmptyState icon="code" title="Você ainda não criou chaves" action={createButton}>
          Com uma chave, um programa cria cobranças e consulta pagamentos sem saber a sua senha.
        </EmptyState>
      )}
      {asking !== null && (
        <ConfirmDialog
          title={`Revogar a chave ${asking.name}?`}
          verb="Revogar chave"
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(asking)}
          onClose={() => setAsking(null)}
        >
          <p>Os programas que usam {asking.hint} param de funcionar na hora. Isso não pode ser desfeito.</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function useRevoke(onRevoked: (id: string) => void, onSettled: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ _id }: ApiKey) => revokeApiKey(_id),
    onSuccess: (_data, { _id }) => {
      onRevoked(_id)
      toast.success(sellerTexts.apiKeyRevoked)
    },
    onError: (error) => toast.error(messageOf(error, sellerTexts.apiKeyNotRevoked), detailOf(error)),
    onSettled: () => {
      onSettled()
      return queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
    },
  })
}
