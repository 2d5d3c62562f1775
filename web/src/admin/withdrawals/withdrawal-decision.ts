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
  complete: { title: "Marcar saque como pago?", verb: "Marcar como pago", look: "primary" },
} as const satisfies Record<Decision, Words>

/** The decisions that the withdrawal's state allows, whoever asks. */
export function openDecisions({ status, paidByHand }: Pick<AdminWithdrawalView, "status" | "paidByHand">): Decision[] {
  switch (status) {
    case "pending":
      return ["approve", "reject"]
    case "approved":
      return paidByHand ? ["complete"] : []
    case "processing":
    case "completed":
    case "rejected":
    case "cancelled":
      return []
  }
}

type Asked = Pick<AdminWithdrawalView, "status" | "paidByHand" | "user">

/** Admins can't decide about their own money. */
export function decisionsOf(withdrawal: Asked, adminId: string | undefined): Decision[] {
  return withdrawal.user._id === adminId ? [] : openDecisions(withdrawal)
}

/** The consequence of the decision, shown before confirmation. */
export function consequenceOf(
  decision: Decision,
  { paymentMethod, paidByHand }: Pick<AdminWithdrawalView, "paymentMethod" | "paidByHand">,
): string {
  const payment = paymentMethod === "pix" ? "o PIX para esta chave" : "a transferência"
  if (decision === "reject") return "O saque não será feito, e o valor volta na hora ao saldo do vendedor."
  if (decision === "complete") return `Confirme só depois de fazer ${payment}: isto não pode ser desfeito.`
  return paidByHand
    ? `Nada é enviado sozinho: faça ${payment} no seu banco e depois marque o saque como pago.`
    : "O PIX é enviado ao banco em seguida: isto não pode ser desfeito."
}
