import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { createUserEndpoint, updateUserEndpoint } from "@tilinta/contract/admin-users"
import * as heads from "@tilinta/contract/heads"
import type { UserView } from "@tilinta/contract/users"
import { type Role, roleLabels, roles } from "@tilinta/contract/vocabulary/people"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { FormProvider, useForm, useFormContext } from "react-hook-form"
import * as z from "zod/mini"
import { adminTexts } from "#admin/admin-texts.ts"
import { approvalsKey } from "#admin/approvals/approvals-data.ts"
import { ApiError, failureText, messageOf } from "#api/api-error.ts"
import { call, type ReplyOf } from "#api/client.ts"
import { session } from "#api/session.ts"
import { Checkbox, Options, Select } from "#ui/choice-inputs.tsx"
import { ConfirmDialog, FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { InvitationDialog } from "./user-access.tsx"
import { WhatInactivationDoes } from "./user-questions.tsx"
import { type CreateUser, usersKey } from "./users-data.ts"

export interface UserForm {
  name: string
  email: string
  role: Role
  active: boolean
  anyName: boolean
  feePercentage?: number | null | undefined
}

const formBody = z.extend(createUserEndpoint.body, { feePercentage: updateUserEndpoint.body.shape.feePercentage })

export function UserFields() {
  const { register, formState } = useFormContext<UserForm>()
  return (
    <>
      <TextField name="name" label="Nome" autoComplete="off" />
      <TextField name="email" label="E-mail" type="email" inputMode="email" autoComplete="off" spellCheck={false} />
      <Field label="Perfil" error={formState.errors.role?.message}>
        {(control) => (
          <Select {...control} {...register("role")}>
            <Options words={roles} labels={roleLabels} />
          </Select>
        )}
      </Field>
      <Checkbox label="Ativo" {...register("active")} />
      <Checkbox label="Pode usar nomes de bancos, de órgãos públicos e da plataforma" {...register("anyName")} />
    </>
  )
}

interface TextProps {
  name: "name" | "email"
  label: string
  type?: "email"
  inputMode?: "email"
  autoComplete: "off"
  spellCheck?: false
}

/** A missing field is reported once above the form; here it is only marked. */
function TextField({ name, label, ...rest }: TextProps) {
  const { register, formState } = useFormContext<UserForm>()
  const problem = formState.errors[name]?.message
  return (
    <Field label={label} error={problem === adminTexts.fillIn ? undefined : problem}>
      {(control) => (
        <TextInput
          {...control}
          {...rest}
          {...register(name)}
          aria-required
          aria-invalid={problem === undefined ? undefined : true}
        />
      )}
    </Field>
  )
}

function FeeField() {
  const { register, formState } = useFormContext<UserForm>()
  return (
    <Field
      label="Taxa deste vendedor (%)"
      aside="opcional"
      hint="Vazio: a taxa da plataforma. Vale para os Pix gerados de agora em diante, e o vendedor é avisado."
      error={formState.errors.feePercentage?.message}
    >
      {(control) => (
        <TextInput
          {...control}
          type="number"
          inputMode="decimal"
          min={0}
          max={100}
          step="any"
          {...register("feePercentage", {
            setValueAs: (typed) => (typed === "" || typed === null ? null : Number(typed)),
          })}
        />
      )}
    </Field>
  )
}

interface Props {
  title: string
  verb: string
  values: UserForm
  /** Rejects with the server's error. */
  send: (form: UserForm) => Promise<void>
  onClose: () => void
  /** Explains the effects of saving. */
  children: ReactNode
}

export function UserFormDialog({ title, verb, values, send, onClose, children }: Props) {
  const form = useForm({ resolver: zodResolver(formBody), defaultValues: values })
  const { isSubmitting, errors } = form.formState
  const isIncomplete = [errors.name, errors.email].some((problem) => problem?.message === adminTexts.fillIn)
  useEffect(() => form.setFocus("name"), [form])

  const { submit, failure } = useSubmit(send, failureOf, (path, message) => {
    if (path === "name" || path === "email" || path === "feePercentage")
      form.setError(path, { message }, { shouldFocus: true })
  })

  function failureOf(error: unknown): string {
    const text = messageOf(error, adminTexts.userNotSaved)
    if (error instanceof ApiError && error.code === "email_taken") {
      form.setError("email", { message: text }, { shouldFocus: true })
    }
    return failureText(error, adminTexts.userNotSaved) ?? text
  }

  return (
    <FormProvider {...form}>
      <FormDialog
        title={title}
        verb={isSubmitting ? "Salvando..." : verb}
        busy={isSubmitting}
        onSubmit={form.handleSubmit(submit)}
        onClose={onClose}
      >
        <FormAlert message={isIncomplete ? adminTexts.fillIn : failure} />
        <UserFields />
        {children}
      </FormDialog>
    </FormProvider>
  )
}

const empty: UserForm = { name: "", email: "", role: "user", active: true, anyName: false }

const invitedText = (email: string) => `Convite enviado para ${email}`

export function NewUserDialog({ createUser, onClose }: { createUser: CreateUser; onClose: () => void }) {
  const [created, setCreated] = useState<Awaited<ReturnType<CreateUser>> | null>(null)

  async function send(form: UserForm): Promise<void> {
    const data = await createUser(form)
    if (data.pending === true) toast.success(adminTexts.requestNoted, adminTexts.waitsForAnother)
    else toast.success(adminTexts.userCreated, form.active && !data.invitation ? invitedText(form.email) : undefined)
    if (data.invitation === undefined) onClose()
    else setCreated(data)
  }

  if (created?.invitation !== undefined) {
    return <InvitationDialog email={created.user.email} invitation={created.invitation} onClose={onClose} />
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

export function EditUserDialog({ user, onClose }: { user: UserView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { isAsking, ask, answer } = useQuestion()

  async function send(form: UserForm): Promise<void> {
    if (user.active && !form.active && !(await ask())) return
    const { data } = await call(heads.updateUser, { params: { id: user._id }, body: form })
    session.renew(data.user)
    if (data.pending === true) toast.success(adminTexts.requestNoted, adminTexts.waitsForAnother)
    else toast.success(adminTexts.userSaved, savedDetail(data))
    void queryClient.invalidateQueries({ queryKey: approvalsKey })
    void queryClient.invalidateQueries({ queryKey: usersKey })
    onClose()
  }

  return (
    <>
      <UserFormDialog title="Editar usuário" verb="Salvar" values={user} send={send} onClose={onClose}>
        {user.role === "user" && <FeeField />}
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
