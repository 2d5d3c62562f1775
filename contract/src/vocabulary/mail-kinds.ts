/** Labels of the kinds of mail for admins. */
export const mailKindLabels = {
  reset_password: "Link de nova senha",
  invitation: "Convite",
  password_changed: "Aviso de senha alterada",
  email_changed: "Aviso de e-mail alterado",
  bank_account_changed: "Aviso de dados bancários alterados",
  payment_received: "Pagamento recebido",
  payment_refunded: "Estorno",
  withdrawal_requested: "Saque solicitado",
  daily_close_differs: "Diferença no fechamento",
  dispute_opened: "Contestação aberta",
  dispute_closed: "Contestação encerrada",
} as const
type MailKind = keyof typeof mailKindLabels
export const mailKinds = Object.keys(mailKindLabels) as MailKind[]
