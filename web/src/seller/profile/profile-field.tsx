import type { ComponentPropsWithRef, ReactNode } from "react"
import { type FieldError, get, type Path, useFormContext } from "react-hook-form"
import { Field } from "#ui/field.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { sellerTexts } from "../seller-texts.ts"
import type { ProfileForm } from "./profile-form.ts"

interface Props extends Omit<ComponentPropsWithRef<"input">, "name"> {
  name: Path<ProfileForm>
  label: string
  optional?: boolean
  hint?: ReactNode
  mask?: (text: string) => string
}

/** One text of the profile, required unless `optional`. */
export function ProfileField({ name, label, optional = false, hint, mask, className = "", ...rest }: Props) {
  const { register, setValue, formState } = useFormContext<ProfileForm>()
  const registered = register(name, {
    ...(mask && {
      onChange: (event: { target: { value: string } }) =>
        setValue(name, mask(event.target.value), { shouldDirty: true }),
    }),
  })
  return (
    <Field
      label={label}
      hint={hint}
      error={besideField(get<object, FieldError | undefined>(formState.errors, name)?.message)}
      className={className}
      {...(optional && { aside: "opcional" })}
    >
      {(control) => <TextInput {...control} {...registered} aria-required={!optional} {...rest} />}
    </Field>
  )
}

/** The whole sentence stands once, above the button; fields show a short form. */
function besideField(message: string | undefined): string | undefined {
  return message === sellerTexts.fillIn ? "Campo obrigatório" : message
}
