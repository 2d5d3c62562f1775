/** A key's permissions in its owner's words; a scope without words does not compile. */
export const apiKeyScopeLabels = {
  "pages:read": "Ver as páginas de cobrança",
  "pages:write": "Criar, editar e cancelar páginas de cobrança",
  "transactions:read": "Ver transações, estornos e contestações",
  "refunds:write": "Estornar pagamentos",
  "withdrawals:read": "Ver o saldo e os saques",
  "withdrawals:write": "Solicitar e cancelar saques",
  "events:read": "Acompanhar os eventos: transações, saques e páginas, com seus dados",
  "webhooks:write": "Cadastrar endereços de webhook e ver as entregas: todos os eventos, com seus dados",
} as const
export type ApiKeyScope = keyof typeof apiKeyScopeLabels
export const apiKeyScopes = Object.keys(apiKeyScopeLabels) as ApiKeyScope[]
