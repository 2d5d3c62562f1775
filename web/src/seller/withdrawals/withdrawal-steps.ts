import type { WithdrawalView } from "@tilinta/contract/withdrawals"
import type { Step, StepState } from "#ui/steps.tsx"

/** A withdrawal's steps, done and, while it is open, to come. */
export function withdrawalSteps(withdrawal: WithdrawalView): Step[] {
  const { status, createdAt, approvedAt, processedAt, adminNotes, returnedAt, returnedAmount } = withdrawal
  const requested: Step = { title: "Solicitado", state: "done", at: createdAt }
  const approved: Step = { title: "Aprovado", state: "done", at: approvedAt }
  const note = adminNotes === "" ? {} : { note: adminNotes }
  switch (status) {
    case "pending":
      return [requested, { title: "Em análise", state: "current", at: null }, ...ahead(withdrawal)]
    case "approved":
      return [requested, { ...approved, ...note }, ...sending(withdrawal, "current"), next(withdrawal)]
    case "completed":
      return returnedAt === null
        ? [requested, approved, ...sending(withdrawal, "done"), { ...completion(withdrawal, "done"), ...note }]
        : [requested, approved, ...paid(withdrawal), { ...returnOf(withdrawal), ...note }]
    case "cancelled":
      return [requested, { title: "Cancelado por você", state: "failed", at: processedAt }]
    case "rejected":
      if (returnedAt !== null) {
        return [
          requested,
          approved,
          ...(returnedAmount > 0 ? paid(withdrawal) : []),
          { ...returnOf(withdrawal), ...note },
        ]
      }
      return approvedAt === null
        ? [requested, { title: "Rejeitado", state: "failed", at: processedAt, ...note }]
        : [
            requested,
            approved,
            ...sending(withdrawal, "done"),
            { title: "Recusado pelo banco", state: "failed", at: processedAt, ...note },
          ]
  }
}

function paid(withdrawal: WithdrawalView): Step[] {
  return [...sending(withdrawal, "done"), completion(withdrawal, "done")]
}

/** Paid in vain, in part in vain, or not payable at all. */
function returnOf({ returnedAmount, amount, returnedAt }: WithdrawalView): Step {
  const back = returnedAmount < amount ? "Devolvido em parte ao seu saldo" : "Devolvido ao seu saldo"
  const title = returnedAmount > 0 ? back : "Não foi possível pagar: o valor voltou ao seu saldo"
  return { title, state: "failed", at: returnedAt }
}

function next(withdrawal: WithdrawalView): Step {
  return completion(withdrawal, withdrawal.paymentMethod === "pix" ? "ahead" : "current")
}

function ahead(withdrawal: WithdrawalView): Step[] {
  return [...sending(withdrawal, "ahead"), completion(withdrawal, "ahead")]
}

/** A transfer by hand has no step of its own until it is made. */
function sending({ paymentMethod, sentAt }: WithdrawalView, state: StepState): Step[] {
  if (paymentMethod !== "pix") return []
  const title = sentAt === null && state !== "done" ? "Envio ao banco" : "Enviado ao banco"
  return [{ title, state, at: sentAt }]
}

function completion({ paymentMethod, processedAt }: WithdrawalView, state: StepState): Step {
  const title = paymentMethod === "pix" ? "Concluído" : state === "done" ? "Transferência feita" : "Transferência"
  return { title, state, at: processedAt }
}
