import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { type StatusChange, useChangeStatus } from "./use-change-status.ts"
import { WhatInactivationDoes } from "./what-inactivation-does.tsx"

/** Names the user and what will happen to them. */
export function UserStatusQuestion({ change, onClose }: { change: StatusChange; onClose: () => void }) {
  const { mutate, isPending } = useChangeStatus(onClose)
  const { user, to } = change
  const answers = { busy: isPending, onConfirm: () => mutate(change), onClose }
  if (to === "active") {
    return (
      <ConfirmDialog title="Ativar usuário?" verb="Ativar usuário" look="primary" {...answers}>
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
