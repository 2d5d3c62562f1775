import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import type { Step } from "#ui/steps.tsx"

/** A withdrawal's steps as admins see them. */
export function adminWithdrawalSteps(withdrawal: AdminWithdrawalView): Step[] {
  const { status, createdAt, approvedAt, processedAt, adminNotes, paymentMethod, paidByHand } = withdrawal
  const doneByHand = paymentMethod === "pix" ? "PIX feito por você" : "Transferência feita"
  const requested: Step = { title: "Solicitado", state: "done", at: createdAt }
  const approved: Step = { title: "Aprovado", state: "done", at: approvedAt }
  const sent = (state: Step["state"]): Step[] => (paidByHand ? [] : [{ title: "Envio ao banco", state, at: null }])
  const end = (state: Step["state"]): Step => ({
    title: paidByHand ? doneByHand : "Confirmado pelo banco",
    state,
    at: state === "done" ? processedAt : null,
  })
  const note = adminNotes === "" ? {} : { note: adminNotes }
  switch (status) {
    case "pending":
      return [requested, { title: "Decisão", state: "current", at: null }, ...sent("ahead"), end("ahead")]
    case "approved":
      return [requested, { ...approved, ...note }, ...sent("current"), end(paidByHand ? "current" : "ahead")]
    case "processing":
      return [requested, { ...approved, ...note }, ...sent("done"), end("current")]
    case "completed":
      return [requested, approved, ...sent("done"), { ...end("done"), ...note }]
    case "cancelled":
      return [requested, { title: "Cancelado pelo vendedor", state: "failed", at: processedAt }]
    case "rejected":
      return approvedAt === null
        ? [requested, { title: "Rejeitado", state: "failed", at: processedAt, ...note }]
        : [
            requested,
            approved,
            ...sent("done"),
            { title: "Recusado pelo banco", state: "failed", at: processedAt, ...note },
          ]
  }
}
