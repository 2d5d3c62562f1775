import {
  SUBSCRIPTION_TITLE_MAX,
  subscriptionPeriodLabels,
  subscriptionPeriods,
  usualLeadDays,
} from "@tilinta/contract/vocabulary/subscriptions"
import { Controller, useFormContext } from "react-hook-form"
import { DiscountFields, FineFields, InterestFields } from "#seller/receivables/terms-fields.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { FormText } from "#ui/form-text.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { MoreOptions } from "#ui/more-options.tsx"
import type { SubscriptionForm } from "./subscription-form.ts"

const SubscriptionText = FormText<SubscriptionForm>

interface Props {
  /** A period never changes; another one is another subscription. */
  fixedPeriod?: boolean
  /** A plan starts on the day on which somebody subscribes. */
  isPlan?: boolean
  /** The seller chooses how the customer pays. */
  mayDebit?: boolean
}

/** The price, how often and until when. */
export function ChargeFields({ fixedPeriod = false, isPlan = false, mayDebit = false }: Props) {
  const { control, register, formState } = useFormContext<SubscriptionForm>()
  const { errors } = formState
  return (
    <>
      <SubscriptionText
        name="title"
        label={isPlan ? "Nome do plano" : "Nome da assinatura"}
        maxLength={SUBSCRIPTION_TITLE_MAX}
        hint="O cliente lê em cada cobrança. Por exemplo: Mensalidade da academia."
      />
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
        {!fixedPeriod && (
          <Field label="De quanto em quanto tempo" error={errors.period?.message}>
            {(field) => (
              <Select {...field} {...register("period")}>
                {subscriptionPeriods.map((period) => (
                  <option key={period} value={period}>
                    {subscriptionPeriodLabels[period]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </div>
      {!fixedPeriod && !isPlan && (
        <Field
          label="Primeiro vencimento"
          hint="Os outros caem no mesmo dia: 31 é o último dia dos meses mais curtos."
          error={errors.firstDueDate?.message}
        >
          {(field) => <TextInput {...field} {...register("firstDueDate")} type="date" max="2999-12-31" aria-required />}
        </Field>
      )}
      {mayDebit && (
        <Field
          label="Como o cliente paga"
          hint="No Pix Automático ele autoriza uma vez no app do banco, e cada cobrança é debitada sozinha. O banco dele mostra o nome da plataforma."
        >
          {(field) => (
            <Select {...field} {...register("method")}>
              <option value="invoice">Pelo link, a cada cobrança</option>
              <option value="automatic">Pix Automático</option>
            </Select>
          )}
        </Field>
      )}
      <EndFields isPlan={isPlan} />
      <MoreFields isPlan={isPlan} />
    </>
  )
}

function EndFields({ isPlan }: { isPlan: boolean }) {
  const { register, watch, formState } = useFormContext<SubscriptionForm>()
  const { errors } = formState
  const end = watch("end")
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Até quando">
        {(field) => (
          <Select {...field} {...register("end")}>
            <option value="never">Até ser cancelada</option>
            {!isPlan && <option value="day">Até um dia</option>}
            <option value="count">Por um número de cobranças</option>
          </Select>
        )}
      </Field>
      {end === "day" && (
        <Field label="Último dia" error={errors.endsOn?.message}>
          {(field) => <TextInput {...field} {...register("endsOn")} type="date" max="2999-12-31" aria-required />}
        </Field>
      )}
      {end === "count" && (
        <SubscriptionText name="cycles" label="Quantas cobranças" inputMode="numeric" maxLength={3} />
      )}
    </div>
  )
}

function MoreFields({ isPlan }: { isPlan: boolean }) {
  const { getValues, watch, formState } = useFormContext<SubscriptionForm>()
  const { fine, interest, discounts, leadDays, daysAfterDue } = formState.errors
  const known = getValues()
  const isSet = known.fine.type !== "" || known.interest.type !== "" || known.discounts.length > 0
  return (
    <MoreOptions isSet={isSet} isWrong={[fine, interest, discounts, leadDays, daysAfterDue].some(Boolean)}>
      {watch("method") === "invoice" && (
        <>
          <FineFields />
          <InterestFields />
          {!isPlan && (
            <DiscountFields hint="O dia é o da primeira cobrança: nas outras, o desconto termina tantos dias antes do vencimento quanto nela." />
          )}
        </>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SubscriptionText
          name="leadDays"
          label="Antecedência em dias"
          optional
          inputMode="numeric"
          maxLength={2}
          hint={`A cobrança sai tantos dias antes do vencimento. Em branco: ${usualLeadDays(watch("period"))}.`}
        />
        <SubscriptionText
          name="daysAfterDue"
          label="Prazo depois do vencimento"
          inputMode="numeric"
          maxLength={3}
          hint="Em dias. Depois disso a cobrança se encerra."
        />
      </div>
    </MoreOptions>
  )
}
