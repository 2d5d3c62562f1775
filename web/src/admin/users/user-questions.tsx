import { useMutation } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { UserView } from "@tilinta/contract/users"
import { adminTexts } from "#admin/admin-texts.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { toast } from "#ui/toast.ts"
import { type StatusChange, useChangeStatus } from "./users-data.ts"

export function WhatInactivationDoes({ user }: { user: UserView }) {
  return (
    <>
      <p>
        <b className="font-semibold text-t1">{user.name}</b> ({user.email}) sai na hora de todos os aparelhos e não
        entra mais.
      </p>
      <p>
        As páginas de cobrança param e os Pix em aberto são removidos. O dinheiro que já está a caminho ainda é
        creditado, e a conta pode ser ativada de novo.
      </p>
    </>
  )
}

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

/** Names the user and what will happen to them. */
export function UserStatusQuestion({ change, onClose }: { change: StatusChange; onClose: () => void }) {
  const { mutate, isPending } = useChangeStatus(onClose)
  const { user, to } = change
  const answers = { busy: isPending, onConfirm: () => mutate(change), onClose }
  if (to === "active") {
    return (
      <ConfirmDialog title="Ativar usuário?" verb="Ativar usuário" variant="primary" {...answers}>
        <p>
          <b className="font-semibold text-t1">{user.name}</b> ({user.email}) volta a entrar na conta, e as páginas de
          cobrança ativas voltam a receber pagamentos.
        </p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title={to === "deleted" ? "Excluir usuário?" : "Desativar usuário?"}
      verb={to === "deleted" ? "Excluir usuário" : "Desativar usuário"}
      {...answers}
    >
      {to === "deleted" && <p>Usuários nunca são apagados: a conta fica inativa, e o histórico continua.</p>}
      <WhatInactivationDoes user={user} />
    </ConfirmDialog>
  )
}
