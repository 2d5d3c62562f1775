import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { ChargePageView } from "@tilinta/contract/charge-pages"
import { detailOf, messageOf } from "#api/api-error.ts"
import { PageAmount } from "#parts/charge-pages/charge-page-parts.tsx"
import * as sellerTexts from "#seller/seller-texts.ts"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { toast } from "#ui/toast.ts"
import { cancelChargePage, chargePagesKey } from "./charge-pages-data.ts"

export function CancelDialog({ page, onClose }: { page: ChargePageView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelChargePage(page._id),
    onSuccess: () => toast.success(sellerTexts.chargePageCancelled),
    onError: (error) => toast.error(messageOf(error, sellerTexts.chargePageNotCancelled), detailOf(error)),
    onSettled: () => {
      onClose()
      return queryClient.invalidateQueries({ queryKey: chargePagesKey })
    },
  })

  return (
    <ConfirmDialog
      title="Cancelar cobrança?"
      verb="Cancelar cobrança"
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold text-t1">{page.title}</b>, de{" "}
        <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">
          <PageAmount amount={page.amount} />
        </b>
        , deixará de receber pagamentos.
      </p>
      <p>Esta ação é irreversível. Pagamentos já confirmados não mudam.</p>
    </ConfirmDialog>
  )
}
