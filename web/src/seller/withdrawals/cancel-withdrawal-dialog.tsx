import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { WithdrawalView } from "@tilinta/contract/withdrawals"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatReais } from "#format/money-text.ts"
import { shortDestination } from "#format/withdrawal-texts.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { toast } from "#ui/toast.ts"
import { cancelWithdrawal, withdrawalsKey } from "./withdrawals-data.ts"

export function CancelWithdrawalDialog({ withdrawal, onClose }: { withdrawal: WithdrawalView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelWithdrawal(withdrawal._id),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(messageOf(error, sellerTexts.withdrawalNotCancelled), detailOf(error)),
    onSettled: () => {
      onClose()
      void queryClient.invalidateQueries({ queryKey: ["seller", "balance"] })
      return queryClient.invalidateQueries({ queryKey: withdrawalsKey })
    },
  })

  return (
    <ConfirmDialog
      title="Cancelar saque?"
      verb="Cancelar saque"
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>
        O saque de{" "}
        <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">{formatReais(withdrawal.amount)}</b> para{" "}
        <b className="font-semibold break-words text-t1">{shortDestination(withdrawal)}</b> não será feito.
      </p>
      <p>O valor volta na hora ao seu saldo disponível.</p>
    </ConfirmDialog>
  )
}
