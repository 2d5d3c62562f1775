import type { ApprovalView } from "@tilinta/contract/approvals"
import { fieldLabel, valueText } from "#admin/audit/audit-words.ts"
import { formatDateTime } from "#format/dates.ts"

interface ChangeLine {
  label: string
  before: string | null
  after: string
}

const entities = {
  withdrawal: "withdrawal",
  unmatched_payment: "unmatched_payment",
  refund: "refund",
  dispute: "dispute",
  user: "user",
  destination: "user",
  setting: "setting",
} as const

/** Ids of other things, whose names stand next to them. */
const hiddenFields = new Set(["sellerId", "destinationId"])

/** The changes as people read them; `before` is null where there was nothing. */
export function changeLines({ act, changes }: ApprovalView, reais: (amount: number) => string): ChangeLine[] {
  const entity = entities[act.split(".")[0] as keyof typeof entities]
  const textOf = (field: string, value: ApprovalView["changes"][number]["after"]) =>
    field === "frozenSince" ? frozenText(value) : valueText(entity, field, value, reais)
  const shown = changes.filter(({ field }) => !hiddenFields.has(field))
  return shown.map(({ field, before, after }) => ({
    label: fieldLabel(field),
    before: before === null ? null : textOf(field, before),
    after: textOf(field, after),
  }))
}

function frozenText(since: ApprovalView["changes"][number]["after"]): string {
  return typeof since === "string" ? formatDateTime(since) : "livre"
}

/** The effect in one sentence, for the one who decides. */
export const effects: Record<ApprovalView["act"], string> = {
  "withdrawal.approve": "O dinheiro sai da plataforma e não pode ser chamado de volta.",
  "withdrawal.return":
    "O valor fica disponível para o vendedor. Confira no extrato do banco que ele não foi pago, ou que voltou.",
  "unmatched_payment.accept": "O valor fica disponível para o vendedor. Confira por que o pagamento é dele.",
  "unmatched_payment.return": "O banco devolve o valor à conta que pagou.",
  "refund.request": "O valor sai do saldo do vendedor e volta para quem pagou.",
  "dispute.close": "O bloqueio termina. Confira a decisão do banco antes de aprovar.",
  "user.create": "A pessoa recebe um convite. Os direitos de administrador começam depois de 72 horas.",
  "user.change":
    "Um novo e-mail só vale depois de confirmado por quem o lê; um novo administrador só consulta por 72 horas.",
  "user.unfreeze":
    "O titular tinha avisado que não foi ele. Confirme com ele, por um meio que você já conhece, antes de aprovar.",
  "destination.owner": "O dinheiro pode ir para este destino. Confira a prova de que ele é do vendedor.",
  "automatic_pix.allow":
    "O banco de cada cliente mostra o nome da plataforma. Um vendedor que cobra o que não devia pode custar o produto a todos.",
  "setting.create": "Vale a partir da próxima requisição.",
  "setting.change": "Vale a partir da próxima requisição.",
}
