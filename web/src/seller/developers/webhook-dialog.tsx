import { useQuery } from "@tanstack/react-query"
import { type EventType, eventTypeLabels, eventTypes } from "@tilinta/contract/vocabulary/events"
import { useEffect, useRef, useState } from "react"
import { type UseFormRegister, type UseFormReturn, useForm } from "react-hook-form"
import { createSubmissions } from "#api/client.ts"
import { factorsQuery } from "#seller/profile/security-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Checkbox } from "#ui/choice-inputs.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { Segments } from "#ui/segments.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { changeWebhook, createWebhook, type Webhook, type WebhookSecret } from "./developers-data.ts"
import { CurrentPasswordField, showRefusal } from "./secret-parts.tsx"

interface WebhookForm {
  url: string
  types: EventType[]
  passwordCurrent: string
}

const choices = [
  { value: "all", label: "Todos" },
  { value: "some", label: "Escolher" },
] as const

interface Props {
  /** Null to create one. */
  webhook: Webhook | null
  /** With the secret of a new one. */
  onSaved: (created: WebhookSecret | null) => void
  onClose: () => void
}

export function WebhookDialog({ webhook, onSaved, onClose }: Props) {
  const form = useForm<WebhookForm>({
    defaultValues: { url: webhook?.url ?? "", types: webhook?.types ?? [], passwordCurrent: "" },
  })
  const [wants, setWants] = useState<"all" | "some">(webhook === null || webhook.types.length === 0 ? "all" : "some")
  const { errors, isSubmitting } = form.formState
  const needsStepUp = useQuery(factorsQuery).data?.stepUpAsked === true
  const { submit, failure } = useSave(form, { webhook, wants, needsStepUp, onSaved })
  useEffect(() => form.setFocus("url"), [form])
  const asksPassword = !needsStepUp && (webhook === null || form.watch("url") !== webhook.url)
  const [title, verb] = webhook === null ? ["Adicionar webhook", "Adicionar"] : ["Editar webhook", "Salvar"]

  return (
    <FormDialog
      title={title}
      verb={isSubmitting ? "Salvando..." : verb}
      busy={isSubmitting}
      onSubmit={form.handleSubmit(submit)}
      onClose={onClose}
      className="grid gap-5 [&_input]:scroll-mb-16"
    >
      <Field label="Endereço" hint="A URL do seu programa que recebe os eventos por POST." error={errors.url?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...form.register("url")}
            type="url"
            inputMode="url"
            placeholder="https://loja.com.br/webhooks"
            maxLength={2_000}
            autoComplete="off"
            aria-required
          />
        )}
      </Field>
      <Events wants={wants} onChange={setWants} register={form.register} error={errors.types?.message} />
      {asksPassword && (
        <CurrentPasswordField input={form.register("passwordCurrent")} error={errors.passwordCurrent?.message} />
      )}
      <FormAlert message={failure} />
    </FormDialog>
  )
}

interface Saving extends Pick<Props, "webhook" | "onSaved"> {
  wants: "all" | "some"
  needsStepUp: boolean
}

/** The server alone checks the address and the password, in one round trip. Where a step-up is asked, that is the one proof. */
function useSave(form: UseFormReturn<WebhookForm>, { webhook, wants, needsStepUp, onSaved }: Saving) {
  const submissions = useRef(createSubmissions())

  async function save({ url, types, passwordCurrent }: WebhookForm): Promise<void> {
    if (wants === "some" && types.length === 0) {
      form.setError("types", { message: "Escolha ao menos um evento." })
      return
    }
    const content = { url, types: wants === "all" ? [] : types }
    const proof = needsStepUp ? {} : { passwordCurrent }
    if (webhook === null) onSaved(await createWebhook({ ...content, ...proof }, submissions.current(content).key))
    else {
      await changeWebhook(webhook._id, { ...content, ...proof })
      onSaved(null)
    }
  }

  return useSubmit(save, (error) => showRefusal(form, error, sellerTexts.webhookNotSaved))
}

interface EventsProps {
  wants: "all" | "some"
  onChange: (wants: "all" | "some") => void
  register: UseFormRegister<WebhookForm>
  error: string | undefined
}

function Events({ wants, onChange, register, error }: EventsProps) {
  return (
    <div className="grid gap-2">
      <p aria-hidden="true" className="text-label font-semibold text-t2">
        Eventos
      </p>
      <div className="justify-self-start">
        <Segments label="Eventos" options={choices} value={wants} onChange={onChange} />
      </div>
      {wants === "all" ? (
        <p className="text-meta text-t3">Também os que forem criados no futuro.</p>
      ) : (
        <Types register={register} error={error} />
      )}
    </div>
  )
}

function Types({ register, error }: Pick<EventsProps, "register" | "error">) {
  return (
    <fieldset>
      <legend className="sr-only">Quais eventos</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {eventTypes.map((type) => (
          <Checkbox key={type} label={eventTypeLabels[type]} value={type} {...register("types")} />
        ))}
      </div>
      {error !== undefined && <p className="mt-1 text-meta font-medium text-coral">{error}</p>}
    </fieldset>
  )
}
