import { banks, bankText } from "@tilinta/contract/vocabulary/banks"
import { accountTypeLabels, accountTypes, withdrawalMethods } from "@tilinta/contract/vocabulary/withdrawals"
import { useFormContext } from "react-hook-form"
import { methodLabels, pixKeyExamples, pixKeyHint } from "#format/withdrawal-texts.ts"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import type { RequestForm } from "./request-form.ts"

export function DestinationFields() {
  const { register, watch } = useFormContext<RequestForm>()
  return (
    <>
      <fieldset>
        <legend className="mb-1.5 text-label font-semibold text-t2">Como receber</legend>
        <div className="grid gap-1 rounded-[16px] border border-line bg-bg p-1 grid-cols-[1fr_2fr] sm:grid-cols-2">
          {withdrawalMethods.map((method) => (
            <label
              key={method}
              className="flex min-h-11 cursor-pointer items-center justify-center rounded-m px-3 text-center font-semibold text-t2 transition-colors hover:text-t1 has-checked:bg-s3 has-checked:text-t1 has-focus-visible:outline-2 has-focus-visible:outline-mint"
            >
              <input type="radio" value={method} {...register("paymentMethod")} className="sr-only" />
              {methodLabels[method]}
            </label>
          ))}
        </div>
      </fieldset>
      {watch("paymentMethod") === "pix" ? <PixFields /> : <BankFields />}
    </>
  )
}

function PixFields() {
  const { register, watch, formState } = useFormContext<RequestForm>()
  return (
    <Field
      label="Chave Pix"
      hint={pixKeyHint(watch("pixKey")) ?? pixKeyExamples}
      error={formState.errors.pixKey?.message}
    >
      {(control) => (
        <TextInput
          {...control}
          {...register("pixKey")}
          maxLength={77}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-required
        />
      )}
    </Field>
  )
}

/** The list that the fields of a bank offer. */
export function BankNames() {
  return (
    <datalist id={bankNames}>
      {banks.map((bank) => (
        <option key={bank.code} value={bankText(bank)} />
      ))}
    </datalist>
  )
}

export const bankNames = "bank-names"

const texts = [
  { name: "bank", label: "Banco", maxLength: 100 },
  { name: "agency", label: "Agência", maxLength: 20 },
  { name: "account", label: "Conta", maxLength: 30 },
] as const

function BankFields() {
  const { register, formState } = useFormContext<RequestForm>()
  const errors = formState.errors.bankData
  const missing = texts.find(({ name }) => errors?.[name] !== undefined)
  return (
    <div className="grid gap-4">
      <FormAlert message={missing && errors?.[missing.name]?.message} />
      <div className="grid gap-4 sm:grid-cols-2">
        {texts.map(({ name, label, maxLength }) => (
          <Field key={name} label={label} className={name === "bank" ? "sm:col-span-full" : ""}>
            {(control) => (
              <TextInput
                {...control}
                {...register(`bankData.${name}`)}
                maxLength={maxLength}
                list={name === "bank" ? bankNames : undefined}
                autoComplete="off"
                aria-required
                aria-invalid={errors?.[name] ? true : undefined}
              />
            )}
          </Field>
        ))}
        <Field label="Tipo de conta">
          {(control) => (
            <Select {...control} {...register("bankData.accountType")}>
              <Options words={accountTypes} labels={accountTypeLabels} />
            </Select>
          )}
        </Field>
      </div>
      <BankNames />
      <p className="text-meta text-t3">Transferências são feitas em horário bancário, depois da aprovação.</p>
    </div>
  )
}
