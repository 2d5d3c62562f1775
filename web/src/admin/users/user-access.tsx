import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { createInvitationEndpoint } from "@tilinta/contract/admin-users"
import * as heads from "@tilinta/contract/heads"
import type { UserView } from "@tilinta/contract/users"
import { type ReactNode, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { detailOf, failureText, messageOf } from "#api/api-error.ts"
import { call, type ReplyOf } from "#api/client.ts"
import { formatDateTime } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { ConfirmDialog, Dialog } from "#ui/dialog.tsx"
import { CopyableCode } from "#ui/facts.tsx"
import { TextDialog } from "#ui/text-dialog.tsx"
import { toast } from "#ui/toast.ts"
import { usersKey } from "./users-data.ts"

/** Opens the seller's screens in another tab, after saying who hears of it. */
export function ViewAsSeller({ user }: { user: UserView }) {
  const [asking, setAsking] = useState(false)
  const view = useMutation({
    mutationFn: async () => (await call(heads.createViewSession, { params: { id: user._id } })).data,
    onSuccess: ({ token, expiresAt }) => {
      if (!openView(token, expiresAt)) toast.error(adminTexts.tabBlocked, adminTexts.allowTabs)
    },
    onError: (error) => toast.error(messageOf(error, adminTexts.userNotViewed), detailOf(error)),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button icon="eye" onClick={() => setAsking(true)}>
        Ver como vendedor
      </Button>
      {asking && (
        <ConfirmDialog
          title="Ver como vendedor?"
          verb="Ver como vendedor"
          variant="primary"
          busy={view.isPending}
          onConfirm={() => view.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            Por 15 minutos, outra aba mostra o painel de <b className="font-semibold text-t1">{user.name}</b> como essa
            pessoa o vê. Nada pode ser alterado nem baixado.
          </p>
          <p>O vendedor recebe um aviso, e a auditoria registra quem viu.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

type Invitation = ReplyOf<typeof createInvitationEndpoint>["data"]["invitation"]

/** Shown once: closing it forgets the link. */
export function InvitationDialog({
  email,
  invitation,
  onClose,
}: {
  email: string
  invitation: Invitation
  onClose: () => void
}) {
  return (
    <Dialog title="Convite" onClose={onClose} footer={<Button onClick={onClose}>Fechar</Button>}>
      <div className="grid gap-4">
        <p className="text-t2">
          O convite foi enviado para <b className="font-semibold break-words text-t1">{email}</b>. Se o e-mail demorar,
          envie este link à pessoa: ele define a senha, uma vez só, até {formatDateTime(invitation.expiresAt)}.
        </p>
        <CopyableCode label="Link do convite" code={invitation.url} />
        <p className="text-label text-t3">Só aparece agora. Quem tiver o link entra na conta.</p>
      </div>
    </Dialog>
  )
}

/** For a seller who was invited and has not come in yet. */
export function InviteAgain({ user }: { user: UserView }) {
  const queryClient = useQueryClient()
  const invite = useMutation({
    mutationFn: async () => (await call(heads.createInvitation, { params: { id: user._id } })).data.invitation,
    onError: (error) => {
      toast.error(messageOf(error, adminTexts.invitationNotCreated), detailOf(error))
      return queryClient.invalidateQueries({ queryKey: usersKey })
    },
  })
  return (
    <div className="grid gap-3 rounded-m border border-line-2 bg-s2 px-4 py-3 text-label">
      <p>Foi convidado e ainda não definiu a senha. Com outro convite, o anterior deixa de valer.</p>
      <Button className="justify-self-start" disabled={invite.isPending} onClick={() => invite.mutate()}>
        Criar outro convite
      </Button>
      {invite.data !== undefined && (
        <InvitationDialog email={user.email} invitation={invite.data} onClose={() => invite.reset()} />
      )}
    </div>
  )
}

interface NoteProps {
  user: UserView
  note: string
  /** Stands before the button. */
  children: ReactNode
}

/** Administrators tell each other about a person here. */
export function UserNote({ user, note, children }: NoteProps) {
  const [editing, setEditing] = useState(false)
  const queryClient = useQueryClient()
  async function save(text: string): Promise<void> {
    await call(heads.updateUser, { params: { id: user._id }, body: { note: text } })
    toast.success(adminTexts.noteSaved, user.name)
    void queryClient.invalidateQueries({ queryKey: usersKey })
  }
  return (
    <>
      {note !== "" && (
        <section aria-label="Anotação" className="rounded-l border border-line bg-bg px-4 py-3">
          <p className="text-meta text-t3">Anotação, só para administradores</p>
          <p className="mt-1 break-words whitespace-pre-line text-label">{note}</p>
        </section>
      )}
      <div className="flex flex-wrap gap-3 max-sm:grid">
        {children}
        <Button icon="edit" onClick={() => setEditing(true)}>
          {note === "" ? "Anotar" : "Editar anotação"}
        </Button>
      </div>
      {editing && (
        <TextDialog
          title="Anotação"
          label="Texto"
          hint="Até 2.000 caracteres. Vazia, é apagada."
          text={note}
          maxLength={2_000}
          verb="Salvar"
          busyVerb="Salvando..."
          onSend={save}
          failureOf={(error) =>
            failureText(error, adminTexts.noteNotSaved) ?? messageOf(error, adminTexts.noteNotSaved)
          }
          onClose={() => setEditing(false)}
        >
          <p>
            Só administradores leem. Não escreva aqui o que você não diria à própria pessoa: pela LGPD ela pode pedir.
          </p>
        </TextDialog>
      )}
    </>
  )
}

/** Opens a tab that looks at a seller's account. What follows '#' is sent to no server, and is taken out of the address at once. */
function openView(token: string, until: string): boolean {
  const tab = window.open(`/dashboard#ver=${token}&ate=${until}`)
  if (tab === null) return false
  tab.opener = null
  return true
}
