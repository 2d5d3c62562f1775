import { useMutation } from "@tanstack/react-query"
import type { AdminTransactionDetails } from "@tilinta/contract/admin-transactions"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { refundProblem } from "#parts/transactions/transaction-details.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import type { RequestRefund } from "./transactions-data.ts"

interface Props {
  transaction: AdminTransactionDetails
  refundable: number
  /** The seller's last day; an admin may go on, and the bank decides. */
  deadline: { day: string; hasPassed: boolean } | null
  onRefund: RequestRefund
  onClose: () => void
}

/** Prefilled with everything that is left; the button states how much goes back. */
export function RefundDialog({ transaction, refundable, deadline, onRefund, onClose }: Props) {
  const [amount, setAmount] = useState<number | null>(refundable)
  const [reason, setReason] = useState("")
  const problem = refundProblem(amount, refundable)
  const refund = useMutation({
    mutationFn: (reais: number) => onRefund({ id: transaction._id, amount: reais, reason: reason.trim() }),
    onSuccess: onClose,
  })

  return (
    <ConfirmDialog
      title="Estornar transação?"
      verb={problem === undefined && amount !== null ? `Estornar ${formatReais(amount)}` : "Estornar"}
      busy={refund.isPending || problem !== undefined}
      onConfirm={() => amount !== null && refund.mutate(amount)}
      onClose={onClose}
    >
      <p>
        O valor sai do saldo de <b className="font-semibold break-words text-t1">{transaction.user.name}</b> e volta a
        quem pagou <b className="font-semibold break-words text-t1">{transaction.checkoutPage.title}</b>, com a parte da
        taxa que lhe cabe. Isto não pode ser desfeito.
      </p>
      {deadline?.hasPassed === true && (
        <p className="text-t2">
          O prazo de 90 dias do Pix para estornar este pagamento terminou em {formatDay(deadline.day)}: o banco pode
          recusar o estorno, e então nada sai do saldo.
        </p>
      )}
      <Field label="Valor do estorno" error={problem} hint={`Até ${formatReais(refundable)}.`}>
        {(control) => <MoneyInput {...control} value={amount} onChange={setAmount} />}
      </Field>
      <Field label="Motivo" aside="opcional">
        {(control) => (
          <TextInput {...control} maxLength={140} value={reason} onChange={(event) => setReason(event.target.value)} />
        )}
      </Field>
      <FormAlert message={refund.isError ? failureText(refund.error) : null} />
    </ConfirmDialog>
  )
}

/** A lost answer may hide a refund that was made, so the text says that repeating is safe. */
function failureText(error: unknown): string {
  const detail = detailOf(error)
  const message = messageOf(error, adminTexts.notRefunded)
  return detail === undefined
    ? message
    : `${message}. ${detail} Tente de novo: o mesmo estorno nunca é feito duas vezes.`
}
