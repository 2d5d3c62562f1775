import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import type { Step } from "#ui/steps.tsx"

/** A withdrawal's steps as admins see them. */
export function adminWithdrawalSteps(withdrawal: AdminWithdrawalView): Step[] {
  const { status, createdAt, approvedAt, processedAt, adminNotes, paymentMethod, paidByHand, returnedAt } = withdrawal
  const { handSettlement } = withdrawal
  const doneByHand = paymentMethod === "pix" ? "Pix feito por você" : "Transferência feita"
  const requested: Step = { title: "Solicitado", state: "done", at: createdAt }
  const approved: Step = { title: "Aprovado", state: "done", at: approvedAt }
  const sent = (state: Step["state"]): Step[] => (paidByHand ? [] : [{ title: "Envio ao banco", state, at: null }])
  const settledAs = handSettlement?.settledAt ? handSettlement.outcome : null
  const confirmed = settledAs === "paid" ? "Resolvido manualmente: foi pago" : "Confirmado pelo banco"
  const end = (state: Step["state"]): Step => ({
    title: paidByHand ? doneByHand : confirmed,
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
      return returnedAt === null
        ? [requested, approved, ...sent("done"), { ...end("done"), ...note }]
        : [requested, approved, ...sent("done"), end("done"), { ...returnOf(withdrawal), ...note }]
    case "cancelled":
      return [requested, { title: "Cancelado pelo vendedor", state: "failed", at: processedAt }]
    case "rejected":
      if (returnedAt !== null) {
        const paid = withdrawal.returnedAmount > 0 ? [...sent("done"), end("done")] : []
        return [requested, approved, ...paid, { ...returnOf(withdrawal), ...note }]
      }
      return approvedAt === null
        ? [requested, { title: "Rejeitado", state: "failed", at: processedAt, ...note }]
        : [
            requested,
            approved,
            ...sent("done"),
            {
              title: settledAs === "not_paid" ? "Resolvido manualmente: não foi pago" : "Recusado pelo banco",
              state: "failed",
              at: processedAt,
              ...note,
            },
          ]
  }
}

/** Paid in vain, in part in vain, or not payable at all. */
function returnOf({ returnedAmount, amount, returnedAt }: AdminWithdrawalView): Step {
  const paid = returnedAmount < amount ? "Devolvido em parte" : "Devolvido ao saldo"
  return { title: returnedAmount > 0 ? paid : "Não foi possível pagar", state: "failed", at: returnedAt }
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "há 3 h": the time somebody has been waiting. Empty for text that isn't a date. */
export function waitingTime(since: string, now: Date): string {
  const waited = now.getTime() - Date.parse(since)
  if (Number.isNaN(waited)) return ""
  if (waited < minute) return "agora"
  if (waited < hour) return `há ${Math.floor(waited / minute)} min`
  if (waited < 2 * day) return `há ${Math.floor(waited / hour)} h`
  return `há ${Math.floor(waited / day)} dias`
}
