import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { MemberView, TeamInvitationView } from "@tilinta/contract/team"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import { shopRoleLabels } from "@tilinta/contract/vocabulary/team-texts"
import { type FormEvent, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { useActingShop, useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Badge } from "#ui/badge.tsx"
import { Button, IconButton } from "#ui/button.tsx"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { ConfirmDialog, FormDialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { inlineLink, PageTitle } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { InviteDialog, RoleChoice } from "./invite-dialog.tsx"
import { teamQuery } from "./team-data.ts"
import "#styles/team.css"

export function TeamPage() {
  const shopId = useActingShop()?._id ?? ""
  const team = useQuery({ ...teamQuery(shopId), refetchInterval: 10_000 })
  const [isInviting, setIsInviting] = useState(false)
  return (
    <>
      <div className="mb-1 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <PageTitle title="Equipe" />
          <p className="mt-1 text-t2">
            Quem trabalha na sua loja, cada pessoa com a sua própria senha. Só o dono saca e cria chaves.
          </p>
        </div>
        <Button variant="primary" icon="plus" onClick={() => setIsInviting(true)} className="max-sm:w-full">
          Convidar
        </Button>
      </div>
      <QueryFailure query={team} failed={sellerTexts.teamFailed} detailed />
      {team.isPending && <Skeleton className="h-60 w-full rounded-xl" />}
      {team.data !== undefined && (
        <>
          <Card>
            <CardHeader title="Pessoas" />
            <ul className="divide-y divide-line">
              {team.data.members.map((member) => (
                <MemberRow key={member._id} shopId={shopId} member={member} />
              ))}
            </ul>
          </Card>
          {team.data.invitations.length > 0 && (
            <Card>
              <CardHeader title="Convites à espera" />
              <ul className="divide-y divide-line">
                {team.data.invitations.map((invitation) => (
                  <InvitationRow key={invitation._id} shopId={shopId} invitation={invitation} />
                ))}
              </ul>
            </Card>
          )}
        </>
      )}
      {isInviting && <InviteDialog shopId={shopId} onClose={() => setIsInviting(false)} />}
    </>
  )
}

const rowClass = "flex flex-wrap items-center gap-x-4 gap-y-2 py-3.5"

function MemberRow({ shopId, member }: { shopId: string; member: MemberView }) {
  const user = useUser()
  const [asked, setAsked] = useState<"role" | "removal" | null>(null)
  const close = () => setAsked(null)
  const isSelf = member._id === user?._id
  return (
    <li className="team-member grid items-center gap-x-4 gap-y-1 py-3.5">
      <div>
        <p className="flex gap-1.5 font-[650]">
          <span className="truncate">{member.name}</span>{" "}
          {isSelf && <span className="font-normal text-t3">(você)</span>}
        </p>
        <p className="truncate text-meta text-t2">{member.email}</p>
      </div>
      <span className="team-actions flex">
        {!member.isFounder && (
          <>
            <IconButton icon="edit" label={`Mudar o papel de ${member.name}`} onClick={() => setAsked("role")} />
            <IconButton icon="trash" label={`Remover ${member.name} da equipe`} onClick={() => setAsked("removal")} />
          </>
        )}
      </span>
      <p className="team-place flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-t3">
        <Badge tone={member.role === "owner" ? "success" : "secondary"}>{shopRoleLabels[member.role]}</Badge>
        {!member.active && <Badge tone="danger">Inativa</Badge>}
        {member.lastSeenAt === null ? "Sem sessão aberta" : `Visto em ${formatDateTime(member.lastSeenAt)}`}
      </p>
      {asked === "role" && <RoleDialog shopId={shopId} member={member} onClose={close} />}
      {asked === "removal" && <RemovalDialog shopId={shopId} member={member} onClose={close} />}
    </li>
  )
}

interface OfMember {
  shopId: string
  member: MemberView
  onClose: () => void
}

function RoleDialog({ shopId, member, onClose }: OfMember) {
  const client = useQueryClient()
  const [role, setRole] = useState<ShopRole>(member.role)
  const { submit, busy, failure } = useSubmit(
    async () => {
      await call(heads.changeMember, { params: { id: shopId, memberId: member._id }, body: { role } })
      await client.invalidateQueries({ queryKey: teamQuery(shopId).queryKey })
      toast.success(`${member.name} agora é ${shopRoleLabels[role].toLowerCase()}`)
      onClose()
    },
    (error) => messageOf(error, sellerTexts.roleNotChanged),
  )
  function send(event: FormEvent): void {
    event.preventDefault()
    void submit()
  }

  return (
    <FormDialog
      title={`Papel de ${member.name}`}
      verb={busy ? "Salvando..." : "Salvar"}
      busy={busy}
      onSubmit={send}
      onClose={onClose}
    >
      <FormAlert message={failure} />
      <RoleChoice value={role} onChange={setRole} />
      {member.role === "owner" && role !== "owner" && <KeysGoOn />}
    </FormDialog>
  )
}

function RemovalDialog({ shopId, member, onClose }: OfMember) {
  const client = useQueryClient()
  const { submit, busy } = useSubmit(
    async () => {
      await call(heads.removeMember, { params: { id: shopId, memberId: member._id } })
      await client.invalidateQueries({ queryKey: teamQuery(shopId).queryKey })
      toast.success(`${member.name} saiu da equipe`)
      onClose()
    },
    (error) => {
      toast.error(messageOf(error, sellerTexts.memberNotRemoved))
      return null
    },
  )
  return (
    <ConfirmDialog
      title={`Remover ${member.name}?`}
      verb="Remover"
      variant="danger"
      busy={busy}
      onConfirm={() => void submit()}
      onClose={onClose}
    >
      <p>O acesso à loja termina na hora, em todos os aparelhos. O que a pessoa fez continua registrado.</p>
      {member.role === "owner" && <KeysGoOn />}
    </ConfirmDialog>
  )
}

/** Keys are the shop's, and an owner may know them. */
function KeysGoOn() {
  return (
    <p>
      As chaves de API e os segredos dos webhooks da loja continuam valendo: revogue em{" "}
      <Link to="/developers" className={inlineLink}>
        Integrações
      </Link>{" "}
      os que a pessoa conhece.
    </p>
  )
}

function InvitationRow({ shopId, invitation }: { shopId: string; invitation: TeamInvitationView }) {
  const client = useQueryClient()
  const { submit, busy } = useSubmit(
    async () => {
      await call(heads.revokeTeamInvitation, { params: { id: shopId, invitationId: invitation._id } })
      await client.invalidateQueries({ queryKey: teamQuery(shopId).queryKey })
      toast.success("Convite cancelado")
    },
    (error) => {
      toast.error(messageOf(error, sellerTexts.invitationNotRevoked))
      return null
    },
  )
  return (
    <li className={rowClass}>
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate font-[650]">{invitation.email}</p>
        <p className="text-meta text-t2">Vale até {formatDateTime(invitation.expiresAt)}</p>
      </div>
      <Badge tone="secondary">{shopRoleLabels[invitation.role]}</Badge>
      <Button variant="quiet-danger" className="max-sm:px-0" disabled={busy} onClick={() => void submit()}>
        Cancelar convite
      </Button>
    </li>
  )
}
