import { useQuery } from "@tanstack/react-query"
import type { getUserEndpoint } from "@tilinta/contract/admin-users"
import type { ShopView } from "@tilinta/contract/shops"
import type { UserView } from "@tilinta/contract/users"
import { ownFeeText } from "@tilinta/contract/vocabulary/fee"
import { roleLabels } from "@tilinta/contract/vocabulary/people"
import { documentText } from "@tilinta/contract/vocabulary/typed-data"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { AuditLink } from "#admin/status-cards.tsx"
import type { ReplyOf } from "#api/client.ts"
import { formatDateTime } from "#format/dates.ts"
import { maskCpf, maskPhone } from "#format/masks.ts"
import { savedPixKeyText } from "#format/withdrawal-texts.ts"
import { addressLine } from "#parts/people/address-fields.tsx"
import { Reais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { InviteAgain, UserNote, ViewAsSeller } from "./user-access.tsx"
import { FrozenNote, UserActivity } from "./user-details.tsx"
import { EndSessionsQuestion, UserStatusQuestion } from "./user-questions.tsx"
import { UserStatusBadge } from "./user-table.tsx"
import { type StatusChange, useBarred, userQuery } from "./users-data.ts"

interface Props {
  id: string
  onClose: () => void
  onEdit: (user: UserView) => void
}

/** Addressable: its address opens it again, and 'back' closes it. */
export function UserDialog({ id, onClose, onEdit }: Props) {
  const opened = useQuery(userQuery(id))
  const [statusChange, setStatusChange] = useState<StatusChange | null>(null)
  const [endsSessions, setEndsSessions] = useState(false)
  return (
    <>
      <Dialog
        title="Detalhes do usuário"
        onClose={onClose}
        footer={
          opened.data !== undefined && (
            <>
              <DeleteButton user={opened.data.user} onAsk={setStatusChange} />
              <Button onClick={onClose}>Fechar</Button>
              <Button icon="edit" onClick={() => onEdit(opened.data.user)}>
                Editar
              </Button>
            </>
          )
        }
      >
        <OpenedRow query={opened} waiting="Carregando usuário" failed={adminTexts.userFailed}>
          {(found) => <Details {...found} onEndSessions={() => setEndsSessions(true)} />}
        </OpenedRow>
      </Dialog>
      {statusChange !== null && <UserStatusQuestion change={statusChange} onClose={() => setStatusChange(null)} />}
      {endsSessions && opened.data !== undefined && (
        <EndSessionsQuestion user={opened.data.user} onClose={() => setEndsSessions(false)} />
      )}
    </>
  )
}

function DeleteButton({ user, onAsk }: { user: UserView; onAsk: (change: StatusChange) => void }) {
  const barred = useBarred(user) ?? (user.active ? undefined : "Este usuário já está inativo.")
  return (
    <Button
      variant="quiet-danger"
      icon="trash"
      disabled={barred !== undefined}
      title={barred}
      onClick={() => onAsk({ user, to: "deleted" })}
    >
      Excluir
    </Button>
  )
}

interface DetailsProps {
  onEndSessions: () => void
}

type Found = ReplyOf<typeof getUserEndpoint>["data"]

function Details(found: Found & DetailsProps) {
  const { user, shop, summary, withdrawalsFrozenAt, note, isInvited, onEndSessions } = found
  const { address, bankAccount } = user
  return (
    <div className="grid gap-5">
      {withdrawalsFrozenAt !== null && <FrozenNote user={user} since={withdrawalsFrozenAt} />}
      <div>
        <p className="text-[22px] leading-tight font-bold tracking-[-0.02em] break-words">{user.name}</p>
        <p className="mt-1 break-words text-t2">{user.email}</p>
        <p className="mt-3 flex flex-wrap items-center gap-2.5">
          <span className="text-t2">{roleLabels[user.role]}</span>
          <UserStatusBadge active={user.active} />
        </p>
        {user.emailState === "unconfirmed" && (
          <p className="mt-2 text-label text-t2">
            O e-mail ainda não foi confirmado: as páginas não abrem aos pagadores.
          </p>
        )}
        {user.anyName && (
          <p className="mt-2 text-label text-t2">Pode usar nomes de bancos, de órgãos públicos e da plataforma.</p>
        )}
      </div>
      <UserNote user={user} note={note}>
        {user.role === "user" && user.active && <ViewAsSeller user={user} />}
      </UserNote>
      {isInvited && <InviteAgain user={user} />}
      <div className="rounded-l border border-line bg-bg px-4 py-3">
        <p className="text-meta text-t3">Saldo disponível</p>
        <p
          className={`text-[25px] leading-tight font-bold tracking-[-0.03em] whitespace-nowrap tabular-nums ${user.balance < 0 ? "text-coral" : ""}`}
        >
          <Reais>{user.balance}</Reais>
        </p>
        {user.balance < 0 && (
          <p className="mt-1 text-meta text-t2">
            O banco estornou ou bloqueou um pagamento cujo valor já tinha saído do saldo. Os próximos recebimentos
            cobrem a diferença; até lá, o vendedor não pode sacar nem estornar.
          </p>
        )}
      </div>
      <UserActivity email={user.email} summary={summary} />
      {shop !== null && <ShopFacts shop={shop} />}
      <Facts>
        <Fact term="CPF">{maskCpf(user.cpf) || notGiven}</Fact>
        <Fact term="Telefone">{maskPhone(user.phone) || notGiven}</Fact>
        <Fact term="Endereço">{addressLine(address) || notGiven}</Fact>
        <Fact term="Cadastro">{formatDateTime(user.createdAt)}</Fact>
        {user.role === "user" && (
          <Fact term="Taxa">
            {user.feePercentage === null ? "A da plataforma" : `${ownFeeText(user.feePercentage)}, só deste vendedor`}
          </Fact>
        )}
      </Facts>
      <Facts>
        <Fact term="Banco">{bankAccount.bank || notGiven}</Fact>
        <Fact term="Agência e conta">
          {[bankAccount.agency, bankAccount.account].filter(Boolean).join(" / ") || notGiven}
        </Fact>
        <Fact term="Chave Pix">{savedPixKeyText(bankAccount.pixKey) || notGiven}</Fact>
      </Facts>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <AuditLink subject="user" id={user._id} />
        <Button variant="quiet-danger" icon="logOut" onClick={onEndSessions}>
          Encerrar sessões
        </Button>
      </div>
    </div>
  )
}

/** Payers see this, which may be another name than the user's. */
function ShopFacts({ shop: { name, document, whatsapp, email, logoUrl } }: { shop: ShopView }) {
  return (
    <Facts>
      <Fact term="Loja">
        <span className="inline-flex items-center gap-2">
          {logoUrl !== null && <img src={new URL(logoUrl).pathname} alt="" className="size-6 rounded-s" />}
          {name}
        </span>
      </Fact>
      <Fact term="CPF ou CNPJ da loja">{document === "" ? notGiven : documentText(document)}</Fact>
      <Fact term="Contato da loja">{[maskPhone(whatsapp), email].filter(Boolean).join(" · ") || notGiven}</Fact>
    </Facts>
  )
}

const notGiven = "Não informado"
