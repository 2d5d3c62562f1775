/** Acts that take effect when a second administrator wants the same. */
export const secondApprovalLabels = {
  "withdrawal.approve": "Aprovar saque",
  "withdrawal.return": "Devolver saque ao saldo",
  "unmatched_payment.accept": "Creditar pagamento a conferir",
  "unmatched_payment.return": "Devolver pagamento a conferir",
  "refund.request": "Estornar transação",
  "dispute.close": "Encerrar contestação",
  "user.create": "Cadastrar administrador",
  "user.change": "Alterar usuário",
  "user.unfreeze": "Descongelar conta",
  "setting.create": "Criar configuração",
  "setting.change": "Alterar configuração",
} as const
export type SecondApprovalAct = keyof typeof secondApprovalLabels
export const secondApprovalActs = Object.keys(secondApprovalLabels) as SecondApprovalAct[]

/** A first approval counts for so long. */
export const SECOND_APPROVAL_HOURS = 48

/** New administrators only look for so long, once the installation is older than its first days. */
export const NEW_ADMIN_HOURS = 72
export const FIRST_DAYS = 7

type WantedValue = string | number | boolean | null

/** A field that the act changes, as the second person sees it. */
export interface WantedChange {
  field: string
  before: WantedValue
  after: WantedValue
}
