import { useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { TeamInvitationView } from "@tilinta/contract/team"
import { type ShopRole, shopRoles } from "@tilinta/contract/vocabulary/team"
import { shopRoleHints, shopRoleLabels } from "@tilinta/contract/vocabulary/team-texts"
import { type FormEvent, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Dialog, FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextInput, typedText } from "#ui/field.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { teamQuery } from "./team-data.ts"

interface Props {
  shopId: string
  onClose: () => void
}

export function InviteDialog({ shopId, onClose }: Props) {
  const client = useQueryClient()
  const [made, setMade] = useState<TeamInvitationView | null>(null)
  const [role, setRole] = useState<ShopRole>("cashier")
  const { submit, busy, failure } = useSubmit(
    async (form: FormData) => {
      const body = { email: typedText(form, "email"), role }
      setMade((await call(heads.inviteMember, { params: { id: shopId }, body })).data.invitation)
      await client.invalidateQueries({ queryKey: teamQuery(shopId).queryKey })
    },
    (error) => messageOf(error, sellerTexts.inviteFailed),
  )

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    void submit(new FormData(event.currentTarget))
  }

  if (made !== null) return <InvitationMade invitation={made} onClose={onClose} />
  return (
    <FormDialog
      title="Convidar para a equipe"
      verb={busy ? "Convidando..." : "Convidar"}
      busy={busy}
      onSubmit={send}
      onClose={onClose}
    >
      <FormAlert message={failure} />
      <Field label="E-mail">
        {(control) => <TextInput {...control} name="email" type="email" autoComplete="off" maxLength={254} />}
      </Field>
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  )
}

export function RoleChoice({ value, onChange }: { value: ShopRole; onChange: (role: ShopRole) => void }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-label font-[600]">Papel</legend>
      {shopRoles.map((role) => (
        <label
          key={role}
          className="flex cursor-pointer gap-3 rounded-m border border-line-2 px-4 py-3 has-checked:border-mint has-checked:bg-mint-bg has-focus-visible:outline-2 has-focus-visible:outline-mint"
        >
          <input
            type="radio"
            name="role"
            value={role}
            checked={value === role}
            onChange={() => onChange(role)}
            className="mt-1 size-4 flex-none accent-mint"
          />
          <span className="grid">
            <span className="font-[650]">{shopRoleLabels[role]}</span>
            <span className="text-meta text-t2">{shopRoleHints[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function InvitationMade({ invitation, onClose }: { invitation: TeamInvitationView; onClose: () => void }) {
  const link = invitation.link ?? ""
  return (
    <Dialog
      title="Convite enviado"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Fechar
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-t2">
          Mandamos o convite para <b className="font-[650] text-t1">{invitation.email}</b>. Se preferir, passe você
          mesmo o link: ele só aparece agora, vale até {formatDateTime(invitation.expiresAt)} e só serve a este e-mail.
        </p>
        <p className="rounded-m border border-line-2 bg-s2 px-4 py-3 text-label break-all">{link}</p>
        <CopyButton
          text={link}
          label="Copiar link do convite"
          done="Link do convite copiado"
          failed="Não foi possível copiar o link"
          variant="secondary"
        />
      </div>
    </Dialog>
  )
}
