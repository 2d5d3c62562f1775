import { useQueryClient } from "@tanstack/react-query"
import type { updateUserEndpoint } from "@tilinta/contract/api/admin-users-endpoints"
import type { UserView } from "@tilinta/contract/api/users-endpoints"
import * as heads from "@tilinta/contract/heads"
import { useRef, useState } from "react"
import { call, type ReplyOf } from "#api/client.ts"
import { session } from "#api/session.ts"
import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { approvalsKey } from "../approvals/approvals-data.ts"
import type { UserForm } from "./user-form.ts"
import { UserFormDialog } from "./user-form-dialog.tsx"
import { usersKey } from "./users-data.ts"
import { WhatInactivationDoes } from "./what-inactivation-does.tsx"

export function EditUserDialog({ user, onClose }: { user: UserView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { isAsking, ask, answer } = useQuestion()

  async function send(form: UserForm): Promise<void> {
    if (user.active && !form.active && !(await ask())) return
    const { data } = await call(heads.updateUser, { params: { id: user._id }, body: form })
    session.renew(data.user)
    if (data.pending === true) toast.success(adminTexts.wishNoted, adminTexts.waitsForAnother)
    else toast.success(adminTexts.userSaved, savedDetail(data))
    void queryClient.invalidateQueries({ queryKey: approvalsKey })
    void queryClient.invalidateQueries({ queryKey: usersKey })
    onClose()
  }

  return (
    <>
      <UserFormDialog title="Editar usuário" verb="Salvar" values={user} send={send} onClose={onClose}>
        <p className="text-label text-t3">
          Com um novo e-mail, os links enviados ao endereço antigo deixam de valer, e ele é avisado da mudança.
        </p>
      </UserFormDialog>
      {isAsking && (
        <ConfirmDialog
          title="Desativar usuário?"
          verb="Salvar e desativar"
          busy={false}
          onConfirm={() => answer(true)}
          onClose={() => answer(false)}
        >
          <WhatInactivationDoes user={user} />
        </ConfirmDialog>
      )}
    </>
  )
}

function savedDetail({ user, emailToConfirm }: ReplyOf<typeof updateUserEndpoint>["data"]): string {
  return emailToConfirm === undefined ? user.name : adminTexts.emailToConfirm(emailToConfirm)
}

/** A confirmation that the caller awaits. */
function useQuestion() {
  const [isAsking, setAsking] = useState(false)
  const settle = useRef<(yes: boolean) => void>(() => undefined)

  return {
    isAsking,
    ask: () =>
      new Promise<boolean>((resolve) => {
        settle.current = resolve
        setAsking(true)
      }),
    answer: (yes: boolean) => {
      setAsking(false)
      settle.current(yes)
    },
  }
}
