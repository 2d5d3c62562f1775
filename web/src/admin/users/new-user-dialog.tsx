import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import type { CreateUser } from "./use-create-user.ts"
import type { UserForm } from "./user-form.ts"
import { UserFormDialog } from "./user-form-dialog.tsx"

const empty: UserForm = { name: "", email: "", role: "user", active: true, anyName: false }

export function NewUserDialog({ createUser, onClose }: { createUser: CreateUser; onClose: () => void }) {
  async function send(form: UserForm): Promise<void> {
    const { pending } = await createUser(form)
    if (pending === true) toast.success(adminTexts.wishNoted, adminTexts.waitsForAnother)
    else toast.success(adminTexts.userCreated, form.active ? `Convite enviado para ${form.email}` : undefined)
    onClose()
  }

  return (
    <UserFormDialog title="Novo usuário" verb="Cadastrar" values={empty} send={send} onClose={onClose}>
      <p className="text-label text-t3">
        A pessoa recebe por e-mail um convite: um link, que vale por 72 horas, para definir a senha. Quem é cadastrado
        inativo o recebe quando for ativado.
      </p>
    </UserFormDialog>
  )
}
