export const legalKinds = ["terms", "privacy"] as const
export type LegalKind = (typeof legalKinds)[number]

export const legalTitles = {
  terms: "Termos de Serviço",
  privacy: "Política de Privacidade",
} as const satisfies Record<LegalKind, string>

/** Plain pages, on the panel's and the payers' host. */
export const legalPaths = { terms: "/termos", privacy: "/privacidade" } as const satisfies Record<LegalKind, string>

/** Labels of the kinds of mail for admins. */
export const mailKindLabels = {
  reset_password: "Link de nova senha",
  invitation: "Convite",
  team_invitation: "Convite para a equipe de uma loja",
  confirm_email: "Confirmação de e-mail",
  signup_repeated: "Aviso de cadastro repetido",
  password_changed: "Aviso de senha alterada",
  email_changed: "Aviso de e-mail alterado",
  new_email: "Confirmação de novo e-mail",
  bank_account_changed: "Aviso de dados bancários alterados",
  second_factor_changed: "Aviso de segundo fator",
  api_key_created: "Aviso de chave de API criada",
  webhook_address: "Aviso de endereço de webhook",
  webhook_failing: "Webhook que não responde",
  payment_received: "Pagamento recebido",
  receipt: "Comprovante para quem pagou",
  subscription: "Assinatura, para o cliente",
  customer_email_changed: "Aviso de e-mail alterado, para o cliente",
  reminder: "Lembrete de cobrança",
  payments_of_day: "Resumo dos pagamentos do dia",
  payment_refunded: "Estorno",
  withdrawal_requested: "Saque solicitado",
  withdrawal_step: "Etapa de um saque",
  withdrawal_returned: "Saque devolvido ao saldo",
  daily_close_differs: "Diferença no fechamento",
  bank_balance_differs: "Saldo do banco diferente",
  checkpoint: "Ponto de controle dos livros",
  chain_rewritten: "Livros diferentes dos assinados",
  settlement_waits: "Resolução manual à espera",
  dispute_opened: "Contestação aberta",
  dispute_closed: "Contestação encerrada",
  notice: "Aviso",
} as const
type MailKind = keyof typeof mailKindLabels
export const mailKinds = /* @__PURE__ */ Object.keys(mailKindLabels) as MailKind[]

/** Notices are listed apart: what happened to the money and the pages, and who was in the account. */
export const noticeTopicLabels = { activity: "Atividade", security: "Segurança" } as const
export type NoticeTopic = keyof typeof noticeTopicLabels
export const noticeTopics = /* @__PURE__ */ Object.keys(noticeTopicLabels) as NoticeTopic[]

/** How often a seller hears of payments by mail. */
export const paymentMailChoices = ["each", "daily", "none"] as const
export type PaymentMails = (typeof paymentMailChoices)[number]

export const paymentMailLabels = {
  each: "A cada pagamento",
  daily: "Um resumo por dia",
  none: "Nenhum",
} as const satisfies Record<PaymentMails, string>
