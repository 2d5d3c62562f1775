import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import type { ButtonLook } from "#ui/button.tsx"

export type Decision = "approve" | "reject" | "complete"

interface Words {
  title: string
  verb: string
  look: ButtonLook
}

export const decisionWords = {
  approve: { title: "Aprovar saque?", verb: "Aprovar saque", look: "primary" },
  reject: { title: "Rejeitar saque?", verb: "Rejeitar saque", look: "danger" },
  complete: { title: "Concluir saque?", verb: "Marcar como concluído", look: "primary" },
} as const satisfies Record<Decision, Words>

/** What may be decided about it at all, whoever asks. */
export function openDecisions({
  status,
  paymentMethod,
}: Pick<AdminWithdrawalView, "status" | "paymentMethod">): Decision[] {
  if (status === "pending") return ["approve", "reject"]
  return status === "approved" && paymentMethod === "bank_transfer" ? ["complete"] : []
}

type Asked = Pick<AdminWithdrawalView, "status" | "paymentMethod" | "user">

/** Nobody decides about their own money. */
export function decisionsOf(withdrawal: Asked, adminId: string | undefined): Decision[] {
  return withdrawal.user._id === adminId ? [] : openDecisions(withdrawal)
}

/** What follows from it, before it is confirmed. */
export function consequenceOf(
  decision: Decision,
  { paymentMethod }: Pick<AdminWithdrawalView, "paymentMethod">,
): string {
  if (decision === "reject") return "O saque não será feito, e o valor volta na hora ao saldo do vendedor."
  if (decision === "complete") return "Confirme só depois de fazer a transferência: isto não pode ser desfeito."
  return paymentMethod === "pix"
    ? "O PIX é enviado ao banco em seguida: isto não pode ser desfeito."
    : "Nada é enviado sozinho: faça a transferência e depois marque o saque como concluído."
}
