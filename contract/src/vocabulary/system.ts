/** Labels of the periodic jobs for admins. A job without a label does not compile. */
export const jobLabels = {
  "process-inbox": "Processar avisos do banco",
  "reconcile-receipts": "Conciliar recebimentos",
  "reconcile-refunds": "Conciliar estornos",
  "reconcile-payouts": "Conciliar saques",
  "reconcile-disputes": "Acompanhar contestações",
  "send-defences": "Enviar defesas ao banco",
  "close-days": "Fechamento diário",
  "settle-refunds": "Acompanhar estornos",
  "remove-due-charges": "Remover cobranças no banco",
  "expire-charges": "Expirar transações",
  "expire-charge-pages": "Expirar páginas de cobrança",
  "expire-invoices": "Encerrar cobranças vencidas",
  "publish-overdue-invoices": "Avisar de cobranças vencidas",
  "send-due-terms": "Pedir códigos com vencimento ao banco",
  "issue-cycles": "Cobrar assinaturas",
  "withdraw-by-rule": "Pedir saques automáticos",
  "settle-subscriptions": "Acompanhar assinaturas",
  "ask-about-mandates": "Perguntar por autorizações de débito",
  "plan-debits": "Marcar os débitos dos ciclos",
  "run-debits": "Enviar e acompanhar débitos",
  "send-reminders": "Lembrar clientes",
  "fail-unfinished-charges": "Encerrar cobranças incompletas",
  "send-payouts": "Enviar saques",
  "settle-payouts": "Acompanhar saques",
  "issue-password-resets": "Preparar links de senha",
  "send-mails": "Enviar e-mails",
  "send-pushes": "Enviar avisos aos aparelhos",
  "send-webhooks": "Enviar webhooks",
  "write-daily-summaries": "Escrever resumos diários",
  "fold-platform-changes": "Atualizar totais da plataforma",
  "fold-payments": "Somar pagamentos aos totais",
  "enter-movements": "Lançar movimentos nos extratos",
  "move-reserves": "Reter e liberar partes das vendas",
  "seal-books": "Selar os livros",
  "number-events": "Numerar eventos",
  "write-openings": "Contar visitas às páginas",
  "write-accesses": "Registrar acessos",
  "tidy-up": "Apagar dados vencidos",
  "erase-personal-data": "Apagar dados pessoais antigos",
  "serve-former-bank": "Atender o banco anterior",
  "register-webhook": "Registrar o webhook",
  "back-up": "Fazer o backup do dia",
  "check-ledger": "Verificar a contabilidade à noite",
} as const
export type JobName = keyof typeof jobLabels

/** Jobs with a button; the others run every few seconds anyway, or have a button of their own. Programs may start any. */
export const jobsByHand: readonly JobName[] = [
  "reconcile-receipts",
  "reconcile-refunds",
  "reconcile-payouts",
  "fail-unfinished-charges",
  "fold-platform-changes",
  "expire-invoices",
  "publish-overdue-invoices",
  "tidy-up",
]

/** The simulator's money, that of a bank's test environment, or real money. */
export const moneyKinds = ["sandbox", "homologation", "real"] as const
export type MoneyKind = (typeof moneyKinds)[number]

export const settingTypes = ["number", "string", "boolean"] as const

export const settingTypeLabels = {
  number: "Número",
  string: "Texto",
  boolean: "Verdadeiro/Falso",
} as const satisfies Record<SettingType, string>
export type SettingType = (typeof settingTypes)[number]

export const settingCategories = ["general", "fees", "api", "notifications"] as const

export const settingCategoryLabels = {
  general: "Geral",
  fees: "Taxas",
  api: "API",
  notifications: "Notificações",
} as const satisfies Record<SettingCategory, string>
export type SettingCategory = (typeof settingCategories)[number]

/** Headings of the settings. Categories are the specification's; most settings are of its 'Geral'. */
export const settingGroupLabels = {
  fees: "Taxas",
  withdrawals: "Saques e proteção",
  retention: "Retenção",
  legal: "Textos legais",
  notifications: "Notificações",
  general: "Geral",
} as const
export type SettingGroup = keyof typeof settingGroupLabels
export const settingGroups = /* @__PURE__ */ Object.keys(settingGroupLabels) as SettingGroup[]

/** The length of the longest text that a setting holds: terms of service of many pages. */
export const MOST_OF_SETTING = 60_000

/** Texts of paragraphs, which an editor of one line would cut. */
export const longSettings: readonly string[] = ["TERMS_TEXT", "PRIVACY_TEXT"]

/** Parts of an installation, as Sistema and `npm run doctor` name them. */
export const systemPartLabels = {
  ledger: "Contabilidade",
  backup: "Backup",
  provider: "Conexão com o banco",
  underWay: "A caminho no banco",
  inbox: "Avisos do banco",
  mails: "E-mails",
  jobs: "Tarefas",
  installation: "Instalação",
  guard: "Duas pessoas",
} as const
export type SystemPart = keyof typeof systemPartLabels
export const systemParts = /* @__PURE__ */ Object.keys(systemPartLabels) as SystemPart[]

/** Danger: without a person real money is lost, or nobody can pay. */
export const findingTones = ["success", "warning", "danger"] as const
export type FindingTone = (typeof findingTones)[number]
