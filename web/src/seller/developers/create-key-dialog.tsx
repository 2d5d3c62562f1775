import { useQuery } from "@tanstack/react-query"
import { type ApiKeyScope, apiKeyScopeLabels, apiKeyScopes } from "@tilinta/contract/vocabulary/api"
import { useEffect, useRef, useState } from "react"
import { type FieldErrors, type UseFormRegister, type UseFormReturn, useForm } from "react-hook-form"
import { createSubmissions } from "#api/client.ts"
import { factorsQuery } from "#seller/profile/security-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Checkbox, Select } from "#ui/choice-inputs.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { type CreatedApiKey, createApiKey } from "./developers-data.ts"
import { CurrentPasswordField, showRefusal } from "./secret-parts.tsx"

interface KeyForm {
  name: string
  scopes: ApiKeyScope[]
  /** Empty for a key that doesn't expire. */
  days: string
  passwordCurrent: string
}

const empty: KeyForm = { name: "", scopes: [], days: "365", passwordCurrent: "" }
const dayMs = 86_400_000

interface Props {
  onCreated: (created: CreatedApiKey) => void
  onClose: () => void
}

export function CreateKeyDialog({ onCreated, onClose }: Props) {
  const form = useForm({ defaultValues: empty })
  const { errors, isSubmitting } = form.formState
  const needsStepUp = useQuery(factorsQuery).data?.stepUpAsked === true
  const { submit, failure } = useCreate(form, needsStepUp, onCreated)
  useEffect(() => form.setFocus("name"), [form])

  return (
    <FormDialog
      title="Criar chave de API"
      verb={isSubmitting ? "Criando..." : "Criar chave"}
      busy={isSubmitting}
      onSubmit={form.handleSubmit(submit)}
      onClose={onClose}
      className="grid gap-5 [&_input]:scroll-mb-16"
    >
      <Field label="Nome" hint="Para você reconhecer depois, como “Loja virtual”." error={errors.name?.message}>
        {(control) => (
          <TextInput {...control} {...form.register("name")} maxLength={80} autoComplete="off" aria-required />
        )}
      </Field>
      <Scopes register={form.register} errors={errors} />
      <Validity register={form.register} />
      {!needsStepUp && (
        <CurrentPasswordField input={form.register("passwordCurrent")} error={errors.passwordCurrent?.message} />
      )}
      <FormAlert message={failure} />
    </FormDialog>
  )
}

/** The server alone checks the form, in one round trip. Where a step-up is asked, that is the one proof. */
function useCreate(form: UseFormReturn<KeyForm>, needsStepUp: boolean, onCreated: Props["onCreated"]) {
  // A repeated submit must send the same expiry, or it would be another request.
  const [openedAt] = useState(() => Date.now())
  const submissions = useRef(createSubmissions())

  async function create({ days, name, scopes, passwordCurrent }: KeyForm): Promise<void> {
    const expiresAt = days === "" ? null : new Date(openedAt + Number(days) * dayMs).toISOString()
    const content = { name, scopes, expiresAt }
    const proof = needsStepUp ? {} : { passwordCurrent }
    onCreated(await createApiKey({ ...content, ...proof }, submissions.current(content).key))
  }

  return useSubmit(create, (error) => showRefusal(form, error, sellerTexts.apiKeyNotCreated))
}

function Validity({ register }: { register: UseFormRegister<KeyForm> }) {
  return (
    <Field label="Validade">
      {(control) => (
        <Select {...control} {...register("days")}>
          <option value="30">30 dias</option>
          <option value="90">90 dias</option>
          <option value="365">1 ano</option>
          <option value="">Sem validade</option>
        </Select>
      )}
    </Field>
  )
}

function Scopes({ register, errors }: { register: UseFormRegister<KeyForm>; errors: FieldErrors<KeyForm> }) {
  return (
    <fieldset aria-describedby="scopes-note">
      <legend className="text-label font-semibold text-t2">O que a chave permite</legend>
      <div className="mt-1 grid gap-1">
        {apiKeyScopes.map((scope) => (
          <Checkbox key={scope} label={apiKeyScopeLabels[scope]} value={scope} {...register("scopes")} />
        ))}
      </div>
      {errors.scopes?.message !== undefined && (
        <p className="mt-1 text-meta font-medium text-coral">{errors.scopes.message}</p>
      )}
      <p id="scopes-note" className="mt-1 text-meta text-t3">
        Uma chave só saca para um destino que já recebeu um saque solicitado aqui, pelo navegador.
      </p>
    </fieldset>
  )
}
