import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/users"
import {
  type CorrectionDirection,
  type ManualEntryKind,
  manualEntryKinds,
  manualEntryLabels,
} from "@tilinta/contract/vocabulary/books"
import { type FormEvent, useRef, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { SellerPicker } from "#admin/seller-picker.tsx"
import { ApiError, messageOf } from "#api/api-error.ts"
import { createSubmissions } from "#api/client.ts"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea, TextInput } from "#ui/field.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { toast } from "#ui/toast.ts"
import { createEntry, type NewEntry } from "./journal-data.ts"

interface Form {
  kind: ManualEntryKind
  amount: number | null
  seller: UserView | null
  direction: CorrectionDirection
  reason: string
  reference: string
  reverses: string
}

const empty: Form = {
  kind: "bank_tariff",
  amount: null,
  seller: null,
  direction: "credit",
  reason: "",
  reference: "",
  reverses: "",
}

function bodyOf({ amount, seller, direction, reverses, ...form }: Form): NewEntry {
  const correction = form.kind === "correction" ? { sellerId: seller?._id ?? "", direction, reverses } : {}
  return { ...form, amount: amount ?? 0, ...correction }
}

/** The server's refusals are shown at their fields. */
export function NewEntryDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())
  const [form, setForm] = useState(empty)
  const create = useMutation({
    mutationFn: (body: NewEntry) => createEntry(body, submissions.current(body).key),
    onSuccess: ({ bookedAt }) => {
      toast.success(bookedAt === null ? adminTexts.entryWaits : adminTexts.entryBooked)
      void queryClient.invalidateQueries({ queryKey: ["admin"] })
      onClose()
    },
  })
  const problems = new Map(
    create.error instanceof ApiError ? create.error.errors.map(({ path, message }) => [path, message]) : [],
  )
  const change = (fields: Partial<Form>) => setForm((old) => ({ ...old, ...fields }))

  function send(event: FormEvent): void {
    event.preventDefault()
    if (!create.isPending) create.mutate(bodyOf(form))
  }

  return (
    <FormDialog
      title="Novo lançamento"
      verb={create.isPending ? "Lançando..." : "Lançar"}
      cancelVerb="Voltar"
      busy={create.isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <FormAlert
        message={create.isError && problems.size === 0 ? messageOf(create.error, adminTexts.entryNotCreated) : null}
      />
      <EntryFields form={form} problems={problems} change={change} />
    </FormDialog>
  )
}

interface FieldsProps {
  form: Form
  problems: ReadonlyMap<string, string>
  change: (fields: Partial<Form>) => void
}

function EntryFields({ form, problems, change }: FieldsProps) {
  return (
    <>
      <Field label="Tipo" error={problems.get("kind")}>
        {(control) => (
          <Select
            {...control}
            value={form.kind}
            onChange={({ target }) =>
              change({ kind: manualEntryKinds.find((kind) => kind === target.value) ?? form.kind })
            }
          >
            <Options words={manualEntryKinds} labels={manualEntryLabels} />
          </Select>
        )}
      </Field>
      <Field label="Valor" error={problems.get("amount")}>
        {(control) => <MoneyInput {...control} value={form.amount} onChange={(amount) => change({ amount })} />}
      </Field>
      {form.kind === "correction" && <CorrectionFields form={form} problems={problems} change={change} />}
      <Field label="Motivo" error={problems.get("reason")}>
        {(control) => (
          <TextArea
            {...control}
            maxLength={500}
            value={form.reason}
            onChange={({ target }) => change({ reason: target.value })}
          />
        )}
      </Field>
      <Field label="Referência no banco" aside="opcional" error={problems.get("reference")}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={100}
            value={form.reference}
            onChange={({ target }) => change({ reference: target.value })}
          />
        )}
      </Field>
    </>
  )
}

function CorrectionFields({ form, problems, change }: FieldsProps) {
  return (
    <>
      <SellerPicker
        legend="Vendedor"
        error={problems.get("sellerId")}
        chosen={form.seller}
        onChoose={(seller) => change({ seller })}
      />
      <Field label="O saldo do vendedor" error={problems.get("direction")}>
        {(control) => (
          <Select
            {...control}
            value={form.direction}
            onChange={({ target }) => change({ direction: target.value === "debit" ? "debit" : "credit" })}
          >
            <option value="credit">recebe o valor</option>
            <option value="debit">perde o valor</option>
          </Select>
        )}
      </Field>
      <Field label="O que corrige" aside="opcional" error={problems.get("reverses")}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={100}
            value={form.reverses}
            onChange={({ target }) => change({ reverses: target.value })}
          />
        )}
      </Field>
    </>
  )
}
