import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/api/users-endpoints"
import * as heads from "@tilinta/contract/heads"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { formatDateTime } from "#format/date.ts"
import { Button } from "#ui/button.tsx"
import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { usersKey } from "./users-data.ts"

/** The owner stopped everything: an administrator lifts it once it is sure who asks. */
export function FrozenNote({ user, since }: { user: UserView; since: string }) {
  const [asking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const unfreeze = useMutation({
    mutationFn: () => call(heads.unfreezeUser, { params: { id: user._id } }),
    onSuccess: ({ message }) => toast.success(message, user.name),
    onError: (error) => toast.error(messageOf(error, adminTexts.userNotUnfrozen), detailOf(error)),
    onSettled: () => {
      setAsking(false)
      return queryClient.invalidateQueries({ queryKey: usersKey })
    },
  })
  return (
    <div className="grid gap-3 rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">
      <p>
        O titular congelou os saques em {formatDateTime(since)}: avisou que não foi ele quem mexeu na conta. Nada é
        solicitado, aprovado nem pago.
      </p>
      <Button onClick={() => setAsking(true)}>Liberar saques</Button>
      {asking && (
        <ConfirmDialog
          title="Liberar os saques?"
          verb="Liberar saques"
          busy={unfreeze.isPending}
          onConfirm={() => unfreeze.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            <b className="font-semibold text-t1">{user.name}</b> ({user.email}) volta a poder sacar. Confirme antes com
            o titular, por outro meio que não seja o e-mail.
          </p>
          <p>Os próximos saques ainda esperam, como depois de qualquer mudança feita por um administrador.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
