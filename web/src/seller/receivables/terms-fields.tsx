import { useQuery } from "@tanstack/react-query"
import { DESCRIPTION_MAX, REFERENCE_MAX } from "@tilinta/contract/charge-pages"
import { FEWEST_INSTALMENTS, MOST_DISCOUNTS, MOST_INSTALMENTS } from "@tilinta/contract/vocabulary/invoices"
import { Controller, useFieldArray, useFormContext } from "react-hook-form"
import { Button, IconButton } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { FormText } from "#ui/form-text.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { MoreOptions } from "#ui/more-options.tsx"
import { hasMore, type InvoiceForm } from "./invoice-form.ts"
import { hasBankCodesQuery } from "./receivables-data.ts"

const InvoiceField = FormText<InvoiceForm>

const folded = [
  "count",
  "fine",
  "interest",
  "discounts",
  "daysAfterDue",
  "description",
  "externalReference",
] as const satisfies readonly (keyof InvoiceForm)[]

export function TermsFields({ isNew }: { isNew: boolean }) {
  const { control, register, getValues, formState } = useFormContext<InvoiceForm>()
  const { errors } = formState
  return (
    <Card className="grid gap-3.5 p-4 md:gap-4 md:p-6">
      <CardHeader title="Cobrança" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="amount"
          render={({ field }) => (
            <Field label="Valor" hint="Mínimo de R$ 1,00" error={errors.amount?.message}>
              {(described) => <MoneyInput {...described} {...field} aria-required />}
            </Field>
          )}
        />
        <Field
          label="Vencimento"
          hint="Em fim de semana ou feriado, vale até o próximo dia útil."
          error={errors.dueDate?.message}
        >
          {(field) => <TextInput {...field} {...register("dueDate")} type="date" max="2999-12-31" aria-required />}
        </Field>
      </div>
      <MoreOptions isSet={hasMore(getValues())} isWrong={folded.some((name) => errors[name] !== undefined)}>
        <MoreFields isNew={isNew} />
      </MoreOptions>
    </Card>
  )
}

const counts = Array.from({ length: MOST_INSTALMENTS - FEWEST_INSTALMENTS + 1 }, (_, at) => at + FEWEST_INSTALMENTS)

function MoreFields({ isNew }: { isNew: boolean }) {
  const { register, watch } = useFormContext<InvoiceForm>()
  const isForMany = watch("customerIds").length > 1
  return (
    <>
      {isNew && !isForMany && (
        <Field label="Parcelas" hint="Uma por mês, no mesmo dia; a última leva os centavos que sobram.">
          {(field) => (
            <Select {...field} {...register("count")}>
              <option value="1">Em uma vez</option>
              {counts.map((count) => (
                <option key={count} value={count}>
                  Em {count} vezes
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <FineFields />
      <InterestFields />
      <DiscountFields />
      <InvoiceField
        name="daysAfterDue"
        label="Dias para pagar depois do vencimento"
        inputMode="numeric"
        maxLength={3}
        hint="Depois disso a cobrança se encerra."
      />
      {isNew && <ModeField />}
      <InvoiceField
        name="description"
        label="Descrição"
        optional
        maxLength={DESCRIPTION_MAX}
        hint="O que o cliente está pagando: ele lê na página."
      />
      {!isForMany && (
        <InvoiceField
          name="externalReference"
          label="Referência"
          optional
          maxLength={REFERENCE_MAX}
          hint="O número no seu sistema: não se repete."
        />
      )}
    </>
  )
}

function ModeField() {
  const { register, watch } = useFormContext<InvoiceForm>()
  const { data: isOffered = false } = useQuery(hasBankCodesQuery)
  if (!isOffered) return null
  const hint =
    watch("mode") === "bank"
      ? "Serve no PDF e para agendar; o banco calcula o valor do dia. O cliente precisa de CPF ou CNPJ."
      : "O link mostra o código do dia, com o valor do dia."
  return (
    <Field label="Código Pix" hint={hint}>
      {(field) => (
        <Select {...field} {...register("mode")}>
          <option value="daily">Um por dia</option>
          <option value="bank">Um só, até o fim do prazo</option>
        </Select>
      )}
    </Field>
  )
}

export function FineFields() {
  return (
    <ShareFields
      name="fine"
      label="Multa por atraso"
      none="Sem multa"
      options={[
        { word: "percent", label: "% do valor" },
        { word: "fixed", label: "Valor em reais" },
      ]}
    />
  )
}

export function InterestFields() {
  return (
    <ShareFields
      name="interest"
      label="Juros por atraso"
      none="Sem juros"
      options={[
        { word: "percentMonth", label: "% ao mês" },
        { word: "percentDay", label: "% ao dia" },
        { word: "fixedDay", label: "Reais por dia" },
      ]}
    />
  )
}

interface ShareFieldsProps {
  name: "fine" | "interest"
  label: string
  none: string
  options: readonly { word: string; label: string }[]
}

/** Kind and size. */
function ShareFields({ name, label, none, options }: ShareFieldsProps) {
  const { control, register, watch, formState } = useFormContext<InvoiceForm>()
  const type = watch(`${name}.type`)
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label={label}>
        {(field) => (
          <Select {...field} {...register(`${name}.type`)}>
            <option value="">{none}</option>
            {options.map(({ word, label }) => (
              <option key={word} value={word}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {type !== "" && (
        <Controller
          control={control}
          name={`${name}.value`}
          render={({ field }) => (
            <Field
              label={name === "fine" ? "Quanto de multa" : "Quanto de juros"}
              error={formState.errors[name]?.value?.message}
            >
              {(described) => <MoneyInput {...described} {...field} sign={signOf(type)} />}
            </Field>
          )}
        />
      )}
    </div>
  )
}

const signOf = (type: string) => (type.startsWith("percent") ? "%" : "R$")

export function DiscountFields({ hint = null }: { hint?: string | null }) {
  const { control, register, watch, formState } = useFormContext<InvoiceForm>()
  const { fields, append, remove } = useFieldArray({ control, name: "discounts" })
  const errors = formState.errors.discounts
  const type = watch("discountType")
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-label font-semibold text-t2">Desconto para quem paga antes</legend>
      {fields.length > 0 && (
        <Select aria-label="Tipo de desconto" {...register("discountType")}>
          <option value="fixed">Valor em reais</option>
          <option value="percent">% do valor</option>
        </Select>
      )}
      {fields.map((field, index) => (
        <div key={field.id} className="grid grid-cols-[1fr_1fr_auto] items-start gap-2">
          <Controller
            control={control}
            name={`discounts.${index}.value`}
            render={({ field: value }) => (
              <Field label="Desconto" error={errors?.[index]?.value?.message}>
                {(described) => <MoneyInput {...described} {...value} sign={signOf(type)} />}
              </Field>
            )}
          />
          <Field label="Até" error={errors?.[index]?.until?.message}>
            {(described) => (
              <TextInput {...described} {...register(`discounts.${index}.until`)} type="date" max="2999-12-31" />
            )}
          </Field>
          <IconButton
            icon="trash"
            label={`Remover o ${index + 1}º desconto`}
            className="mt-7"
            onClick={() => remove(index)}
          />
        </div>
      ))}
      {hint !== null && fields.length > 0 && <p className="text-meta text-t3">{hint}</p>}
      <p role="alert" className="empty:hidden text-meta text-coral">
        {errors?.message ?? errors?.root?.message}
      </p>
      {fields.length < MOST_DISCOUNTS && (
        <Button
          icon="plus"
          className="justify-self-start"
          onClick={() => append({ value: null, until: "" }, { shouldFocus: true })}
        >
          {fields.length === 0 ? "Dar desconto" : "Outro desconto"}
        </Button>
      )}
    </fieldset>
  )
}
