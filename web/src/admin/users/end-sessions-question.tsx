import { useMutation } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/api/users-endpoints"
import * as heads from "@tilinta/contract/heads"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"

/** Names the user, and what doesn't end with the sessions. */
export function EndSessionsQuestion({ user, onClose }: { user: UserView; onClose: () => void }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => (await call(heads.endUserSessions, { params: { id: user._id } })).data.ended,
    onSuccess: (ended) =>
      toast.success(
        ended === 0
          ? "Nenhuma sessão estava aberta"
          : ended === 1
            ? "1 sessão encerrada"
            : `${ended} sessões encerradas`,
        user.name,
      ),
    onError: (error) => toast.error(messageOf(error, adminTexts.sessionsNotEnded), detailOf(error)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title="Encerrar as sessões?"
      verb="Encerrar sessões"
      busy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold text-t1">{user.name}</b> ({user.email}) e quem mais usar a conta terá que entrar de
        novo em todos os aparelhos. O usuário recebe um aviso.
      </p>
      <p>As chaves de API continuam valendo: só o dono as revoga.</p>
    </ConfirmDialog>
  )
}
