/** Why a delivery failed, in its seller's words. */
export const webhookProblemLabels = {
  timed_out: "Não respondeu em 10 segundos",
  unresolved: "O nome do endereço não foi encontrado no DNS",
  inside: "O endereço leva a uma rede interna",
  refused: "A conexão foi recusada",
  tls: "O certificado TLS não é válido para este endereço",
  broken: "A conexão caiu antes da resposta",
  redirected: "Respondeu com um redirecionamento, que não é seguido",
  bad_status: "Respondeu com um status diferente de 2xx",
} as const
export type WebhookProblem = keyof typeof webhookProblemLabels
export const webhookProblems = Object.keys(webhookProblemLabels) as WebhookProblem[]

/** `queued` is tried by itself, `waiting` had all its tries and goes on once the endpoint answers or somebody asks. */
export const deliveryStateLabels = {
  queued: "Na fila",
  retrying: "Tentando de novo",
  delivered: "Entregue",
  waiting: "Aguardando",
} as const
export type DeliveryState = keyof typeof deliveryStateLabels
export const deliveryStates = Object.keys(deliveryStateLabels) as DeliveryState[]

export const webhookHealthLabels = {
  unused: "Ainda sem entregas",
  healthy: "Funcionando",
  failing: "Falhando",
} as const
export const webhookHealths = Object.keys(webhookHealthLabels) as (keyof typeof webhookHealthLabels)[]

/** The type of what 'Enviar teste' sends; no event of the log has it. */
export const webhookTestType = "webhook.test"

export const MOST_WEBHOOKS = 10
