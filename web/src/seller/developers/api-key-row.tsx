import { apiKeyScopeLabels, apiKeyScopes } from "@tilinta/contract/vocabulary/api-keys"
import { formatDateTime } from "#format/date.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import type { ApiKey } from "./api-keys-data.ts"

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
          look="quiet-danger"
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
