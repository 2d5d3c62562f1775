import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import { isWaiting } from "#format/withdrawal-texts.ts"
import type { ButtonVariant } from "#ui/button.tsx"

export type Decision = "approve" | "reject" | "complete" | "return"

interface Words {
  title: string
  verb: string
  variant: ButtonVariant
}

export const decisionWords = {
  approve: { title: "Aprovar saque?", verb: "Aprovar saque", variant: "primary" },
  reject: { title: "Rejeitar saque?", verb: "Rejeitar saque", variant: "danger" },
  complete: { title: "Marcar saque como pago?", verb: "Marcar como pago", variant: "primary" },
  return: { title: "Devolver saque ao saldo?", verb: "Devolver ao saldo", variant: "danger" },
} as const satisfies Record<Decision, Words>

/** The decisions that the withdrawal's state allows, whoever asks. */
export function openDecisions({
  status,
  paidByHand,
  returnable,
}: Pick<AdminWithdrawalView, "status" | "paidByHand" | "returnable">): Decision[] {
  const back: Decision[] = returnable ? ["return"] : []
  switch (status) {
    case "pending":
      return ["approve", "reject"]
    case "approved":
      return paidByHand ? ["complete", ...back] : back
    case "completed":
      return back
    case "processing":
    case "rejected":
    case "cancelled":
      return []
  }
}

type DecisionInput = Pick<
  AdminWithdrawalView,
  "status" | "paidByHand" | "returnable" | "user" | "firstApproval" | "heldUntil" | "holdReasons"
>

/** Admins can't decide about their own money, approve twice, or approve what is held. */
export function decisionsOf(withdrawal: DecisionInput, adminId: string | undefined): Decision[] {
  if (withdrawal.user._id === adminId) return []
  const isApprover = adminId !== undefined && withdrawal.firstApproval?.by._id === adminId
  const canApprove = !isApprover && !isWaiting(withdrawal, new Date())
  return openDecisions(withdrawal).filter((decision) => decision !== "approve" || canApprove)
}

/** The consequence of the decision, shown before confirmation. */
export function consequenceOf(
  decision: Decision,
  withdrawal: Pick<AdminWithdrawalView, "paymentMethod" | "paidByHand" | "status" | "approvals" | "approvalsNeeded">,
): string {
  const { paymentMethod, paidByHand, status, approvals, approvalsNeeded } = withdrawal
  if (decision === "return") {
    const first =
      status === "completed" ? "Confirme só depois de ver o valor de volta na nossa conta." : "O saque não será pago."
    return `${first} O valor volta na hora ao saldo do vendedor, que recebe um e-mail com o motivo.`
  }
  const payment = paymentMethod === "pix" ? "o Pix para esta chave" : "a transferência"
  if (decision === "reject") return "O saque não será feito, e o valor volta na hora ao saldo do vendedor."
  if (decision === "approve" && approvals + 1 < approvalsNeeded) {
    return "Este saque precisa de dois administradores: depois da sua aprovação ele ainda espera a de outro."
  }
  if (decision === "complete") return `Confirme só depois de fazer ${payment}: isto não pode ser desfeito.`
  return paidByHand
    ? `Nada é enviado sozinho: faça ${payment} no seu banco e depois marque o saque como pago.`
    : "O Pix é enviado ao banco em seguida: isto não pode ser desfeito."
}
