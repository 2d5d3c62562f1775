import { DESCRIPTION_MAX, TITLE_MAX } from "@tilinta/contract/api/charge-pages-endpoints"
import { Controller, useFormContext } from "react-hook-form"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field } from "#ui/field.tsx"
import { MoneyInput } from "#ui/money-input.tsx"
import { TextArea, TextInput } from "#ui/text-input.tsx"
import { NetWish } from "./net-wish.tsx"
import { SlugField } from "./slug-field.tsx"

interface ChargeBasics {
  title: string
  amount: number | null
  slug: string
  description: string
}

interface Props {
  amountHint: string
  ownSlug?: string
  onTitle: (title: string) => void
  onSlug?: () => void
}

/** Fields shared by creating and editing. */
export function ChargePageFields({ amountHint, ownSlug, onTitle, onSlug }: Props) {
  const { control, register, watch, formState } = useFormContext<ChargeBasics>()
  const { errors } = formState
  const description = watch("description")
  const title = register("title", {
    onChange: (event: { target: { value: string } }) => onTitle(event.target.value),
  })
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <CardHeader title="Cobrança" />
      <Field label="Título" error={errors.title?.message}>
        {(field) => (
          <TextInput
            {...field}
            {...title}
            maxLength={TITLE_MAX}
            autoComplete="off"
            aria-required
            placeholder="Ex.: Mentoria de vendas"
          />
        )}
      </Field>
      <Controller
        control={control}
        name="amount"
        render={({ field }) => (
          <div className="grid gap-2">
            <Field label="Valor" hint={amountHint} error={errors.amount?.message} className="md:max-w-72">
              {(described) => <MoneyInput {...described} {...field} aria-required />}
            </Field>
            <NetWish onAmount={field.onChange} />
          </div>
        )}
      />
      <Controller
        control={control}
        name="slug"
        render={({ field }) => (
          <SlugField
            value={field.value}
            own={ownSlug}
            error={errors.slug?.message}
            onChange={(slug) => {
              onSlug?.()
              field.onChange(slug)
            }}
          />
        )}
      />
      <Field
        label="Descrição"
        aside={`${[...description].length}/${DESCRIPTION_MAX}`}
        error={errors.description?.message}
      >
        {(field) => (
          <TextArea
            {...field}
            {...register("description")}
            rows={3}
            maxLength={DESCRIPTION_MAX}
            placeholder="O que o cliente está pagando (opcional)"
          />
        )}
      </Field>
    </Card>
  )
}
