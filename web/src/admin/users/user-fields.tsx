import { roleLabels, roles } from "@tilinta/contract/vocabulary/roles"
import { useFormContext } from "react-hook-form"
import { Checkbox } from "#ui/checkbox.tsx"
import { Field } from "#ui/field.tsx"
import { Select } from "#ui/select.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { adminTexts } from "../admin-texts.ts"
import type { UserForm } from "./user-form.ts"

export function UserFields() {
  const { register, formState } = useFormContext<UserForm>()
  return (
    <>
      <TextField name="name" label="Nome" autoComplete="off" />
      <TextField name="email" label="E-mail" type="email" inputMode="email" autoComplete="off" spellCheck={false} />
      <Field label="Perfil" error={formState.errors.role?.message}>
        {(control) => (
          <Select {...control} {...register("role")}>
            {roles.map((role) => (
              <option key={role} value={role}>
                {roleLabels[role]}
              </option>
            ))}
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
