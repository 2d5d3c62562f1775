import { useQuery } from "@tanstack/react-query"
import { detailOf, hasStatus, messageOf } from "#api/api-error.ts"
import { Dialog } from "#ui/dialog.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { sellerTexts } from "../seller-texts.ts"
import { WithdrawalDialog } from "./withdrawal-dialog.tsx"
import { withdrawalQuery } from "./withdrawals-data.ts"

/** For screens that know only its id. */
export function WithdrawalById({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(withdrawalQuery(id))
  if (data !== undefined) return <WithdrawalDialog withdrawal={data} onClose={onClose} />
  const isFinal = hasStatus(error, 404) || hasStatus(error, 403)
  return (
    <Dialog title="Saque" onClose={onClose}>
      {error === null && <RowsSkeleton rows={4} label="Carregando saque" />}
      {isFinal && (
        <p role="alert" className="py-6 text-center text-t2">
          {messageOf(error, sellerTexts.withdrawalFailed)}
        </p>
      )}
      {error !== null && !isFinal && (
        <LoadFailure
          message={messageOf(error, sellerTexts.withdrawalFailed)}
          detail={detailOf(error)}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      )}
    </Dialog>
  )
}
