/** Everything that is recorded of who did what; without a label nothing can be. */
export const auditActionLabels = {
  "user.created": "Usuário cadastrado",
  "user.updated": "Usuário alterado",
  "user.inactivated": "Usuário inativado",
  "user.reactivated": "Usuário reativado",
  "user.profile_updated": "Perfil alterado",
  "user.password_changed": "Senha alterada",
  "user.password_reset": "Senha redefinida",
  "withdrawal.requested": "Saque solicitado",
  "withdrawal.cancelled": "Saque cancelado",
  "withdrawal.approved": "Saque aprovado",
  "withdrawal.rejected": "Saque rejeitado",
  "withdrawal.completed": "Saque concluído",
  "withdrawal.refused": "Saque recusado pelo banco",
  "refund.requested": "Estorno solicitado",
  "refund.completed": "Estorno concluído",
  "refund.refused": "Estorno recusado pelo banco",
  "refund.by_bank": "Estorno feito pelo banco",
  "unmatched_payment.accepted": "Pagamento a conferir aceito",
  "unmatched_payment.returned": "Pagamento a conferir devolvido",
  "setting.create": "Configuração criada",
  "setting.update": "Configuração alterada",
  "daily_close.compared": "Dia comparado com o banco",
  "daily_close.redone": "Fechamento refeito",
  "charges.exported": "Transações exportadas",
  "withdrawals.exported": "Saques exportados",
  "differences.exported": "Diferenças exportadas",
  "audit_records.exported": "Auditoria exportada",
  "demo.begun": "Demonstração iniciada",
  "demo.filled": "Demonstração preenchida",
} as const
export type AuditAction = keyof typeof auditActionLabels
export const auditActions = Object.keys(auditActionLabels) as AuditAction[]

/** What a record is about. */
export const auditEntityLabels = {
  user: "Usuário",
  withdrawal: "Saque",
  refund: "Estorno",
  unmatched_payment: "Pagamento a conferir",
  setting: "Configuração",
  daily_close: "Fechamento diário",
  export: "Exportação",
  demo: "Demonstração",
} as const
export type AuditEntity = keyof typeof auditEntityLabels
export const auditEntities = Object.keys(auditEntityLabels) as AuditEntity[]

/** A transaction has no records of its own: its refunds, and the payment that became it, are about it. */
export const auditSubjectLabels = { ...auditEntityLabels, transaction: "Transação" } as const
export type AuditSubject = keyof typeof auditSubjectLabels
export const auditSubjects = Object.keys(auditSubjectLabels) as AuditSubject[]

/** Fields as people call them; of an object the parts, of an amount its reais. */
export const auditFieldLabels = {
  name: "Nome",
  email: "E-mail",
  phone: "Telefone",
  role: "Perfil de acesso",
  active: "Conta ativa",
  address: "Endereço",
  "address.street": "Rua",
  "address.number": "Número",
  "address.complement": "Complemento",
  "address.neighborhood": "Bairro",
  "address.city": "Cidade",
  "address.state": "Estado",
  "address.zipCode": "CEP",
  bankAccount: "Dados bancários",
  "bankAccount.bank": "Banco",
  "bankAccount.agency": "Agência",
  "bankAccount.account": "Conta",
  "bankAccount.accountType": "Tipo de conta",
  "bankAccount.pixKey": "Chave PIX",
  status: "Status",
  statuses: "Status",
  amount: "Valor",
  fee: "Taxa",
  method: "Método",
  origin: "Origem",
  reason: "Motivo",
  adminNotes: "Observações",
  failureReason: "Motivo da recusa",
  endToEndId: "ID do pagamento (endToEndId)",
  key: "Chave",
  value: "Valor",
  type: "Tipo",
  category: "Categoria",
  description: "Descrição",
  isPublic: "Pública",
  search: "Busca",
  dayFrom: "De",
  dayTo: "Até",
  action: "Ação",
  entity: "Sobre",
  entityId: "Identificador",
  day: "Dia",
  provider: "Provedor",
  differences: "Diferenças",
  mended: "Encontrados no fechamento",
} as const satisfies Record<string, string>
