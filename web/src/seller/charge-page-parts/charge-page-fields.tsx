import { Link } from "@tanstack/react-router"
import { DESCRIPTION_MAX, TITLE_MAX } from "@tilinta/contract/charge-pages"
import type { FormEvent, ReactNode } from "react"
import { Controller, useFormContext } from "react-hook-form"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field, FormAlert, TextArea, TextInput } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { FinancialSummary } from "./financial-summary.tsx"
import { PriceFields } from "./price-fields.tsx"
import { SlugField } from "./slug-field.tsx"

export function BackLink({
  to,
  children,
}: {
  to: "/dashboard" | "/checkouts" | "/customers" | "/receivables" | "/subscriptions"
  children: string
}) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2 justify-self-start rounded-m pr-2 text-label font-semibold text-t2 hover:text-t1"
    >
      <Icon name="arrowLeft" className="size-[18px]" />
      {children}
    </Link>
  )
}

interface ChargeBasics {
  title: string
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
    <Card className="grid gap-3.5 p-4 md:gap-4 md:p-6">
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
      <PriceFields amountHint={amountHint} />
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
            rows={2}
            className="max-md:min-h-18!"
            maxLength={DESCRIPTION_MAX}
            placeholder="O que o cliente está pagando (opcional)"
          />
        )}
      </Field>
    </Card>
  )
}

interface ChargePageFormLayoutProps {
  onSubmit: (event: FormEvent) => void
  amount: number | null
  failure: string | null
  submit: { label: string; disabled: boolean }
  cancelTo: "/dashboard" | "/checkouts"
  /** Content under the buttons, next to the fields. */
  aside?: ReactNode
  children: ReactNode
}

/** Fields on the left; on the right, always visible, the seller's net amount and the one action. */
export function ChargePageFormLayout({
  onSubmit,
  amount,
  failure,
  submit,
  cancelTo,
  aside,
  children,
}: ChargePageFormLayoutProps) {
  return (
    <form noValidate onSubmit={onSubmit} className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="grid gap-4">{children}</div>
      <div className="grid gap-4 lg:sticky lg:top-[92px]">
        <FinancialSummary amount={amount} />
        <FormAlert message={failure} />
        <Button variant="primary" type="submit" disabled={submit.disabled}>
          {submit.label}
        </Button>
        <Link to={cancelTo} className={buttonClass("ghost")}>
          Cancelar
        </Link>
        {aside}
      </div>
    </form>
  )
}
