import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRouterState } from "@tanstack/react-router"
import { apiKeyScopeLabels, apiKeyScopes } from "@tilinta/contract/vocabulary/api"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { renewUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Badge } from "#ui/badge.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Tabs } from "#ui/tabs.tsx"
import { toast } from "#ui/toast.ts"
import { type ApiKey, apiKeysQuery, type CreatedApiKey, revokeApiKey, type WebhookSecret } from "./developers-data.ts"
import { EventsCard } from "./events-card.tsx"
import { ReturnOriginsCard } from "./return-origins-card.tsx"
import { NewKeyCard, NewSecretCard, NewSigningKeyCard } from "./secret-parts.tsx"
import { SnippetsCard } from "./snippets-card.tsx"
import { WebhooksCard } from "./webhooks-card.tsx"

export function ApiKeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, hint, scopes, expiresAt } = apiKey
  const allowed = apiKeyScopes.filter((scope) => scopes.includes(scope))
  const isExpired = expiresAt !== null && new Date(expiresAt) <= new Date()
  return (
    <li className="grid gap-1 border-b border-line py-3 last:border-0 last:pb-0">
      <div className="flex items-center justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 font-semibold break-words">{name}</span>
          <code className="font-mono text-[12.5px] text-t2">{hint}</code>
          {isExpired && <Badge tone="warning">Expirada</Badge>}
        </p>
        <Button
          variant="quiet-danger"
          className="-mr-3 flex-none px-3"
          aria-label={`Revogar ${name}, ${hint}`}
          onClick={onRevoke}
        >
          Revogar
        </Button>
      </div>
      <p className="text-label text-t2">{allowed.map((scope) => apiKeyScopeLabels[scope]).join(" · ")}</p>
      <p className="text-meta text-t3 tabular-nums">{lastUseOf(apiKey)}</p>
      <p className="text-meta text-t3 tabular-nums">
        Criada em {formatDateTime(apiKey.createdAt)}
        {expiresAt === null
          ? ", sem validade"
          : isExpired
            ? `, expirou em ${formatDateTime(expiresAt)}`
            : `, vale até ${formatDateTime(expiresAt)}`}
      </p>
    </li>
  )
}

function lastUseOf({ lastUsedAt, lastUsedAddress }: ApiKey): string {
  if (lastUsedAt === null) return "Nunca usada"
  const moment = `Último uso em ${formatDateTime(lastUsedAt)}`
  return lastUsedAddress === null ? moment : `${moment}, de ${lastUsedAddress}`
}

const CreateKeyDialog = lazyDialog(() => import("./create-key-dialog.tsx"), "CreateKeyDialog")

const tabs = [
  { label: "Chaves", to: "/developers" },
  { label: "Webhooks", to: "/developers/webhooks" },
  { label: "Eventos", to: "/developers/events" },
  { label: "Retorno", to: "/developers/return" },
] as const

/** A secret that is shown only once stays above the tabs until it is put away, whichever is open. */
export function DevelopersPage() {
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const [secret, setSecret] = useState<WebhookSecret | null>(null)
  const [signingKey, setSigningKey] = useState<{ shown: string | null } | null>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <div>
          <PageTitle title="Integrações" />
          <p className="mt-1 text-balance text-t2 max-md:hidden">
            Venda pela sua loja, pelo seu sistema ou por um robô.
          </p>
        </div>
        <a className={buttonClass("secondary")} href="/api/docs" target="_blank" rel="noopener">
          Referência da API
        </a>
      </div>
      <Tabs label="Integrações" tabs={tabs} />
      {created !== null && <NewKeyCard key={created.key} created={created} onClose={() => setCreated(null)} />}
      {secret !== null && <NewSecretCard key={secret.secret} shown={secret} onClose={() => setSecret(null)} />}
      {signingKey !== null && (
        <NewSigningKeyCard key={signingKey.shown} value={signingKey.shown} onClose={() => setSigningKey(null)} />
      )}
      {path === "/developers" && (
        <>
          <KeysCard
            onCreated={setCreated}
            onRevoked={(id) => setCreated((shown) => (shown?.apiKey._id === id ? null : shown))}
          />
          <SnippetsCard created={created} />
        </>
      )}
      {path === "/developers/webhooks" && (
        <WebhooksCard
          onSecret={setSecret}
          onDeleted={(id) => setSecret((shown) => (shown?.webhook._id === id ? null : shown))}
        />
      )}
      {path === "/developers/events" && <EventsCard />}
      {path === "/developers/return" && <ReturnOriginsCard onKey={(shown) => setSigningKey({ shown })} />}
    </>
  )
}

interface KeysProps {
  onCreated: (created: CreatedApiKey) => void
  onRevoked: (id: string) => void
}

function KeysCard({ onCreated, onRevoked }: KeysProps) {
  const queryClient = useQueryClient()
  const keys = useQuery(apiKeysQuery)
  const [isCreating, setIsCreating] = useState(false)
  const [asking, setAsking] = useState<ApiKey | null>(null)
  const revoke = useRevoke(onRevoked, () => setAsking(null))
  const createButton = (
    <Button variant="primary" icon="plus" onClick={() => setIsCreating(true)}>
      Criar chave
    </Button>
  )

  function show(created: CreatedApiKey): void {
    onCreated(created)
    setIsCreating(false)
    void queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
    // A first key makes the shop one with orders of its own system.
    void renewUser().catch(() => undefined)
  }

  return (
    <Card className="p-5" aria-labelledby="api-keys">
      <CardHeader id="api-keys" title="Chaves de API">
        {keys.data !== undefined && keys.data.length > 0 && createButton}
      </CardHeader>
      <p className="mt-1 text-label text-t3">
        Um programa com uma destas chaves age em nome da sua conta, e só no que ela permite.
      </p>
      <QueryFailure query={keys} failed={sellerTexts.apiKeysFailed} detailed className="mt-4" />
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
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} onCreated={show} />}
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
