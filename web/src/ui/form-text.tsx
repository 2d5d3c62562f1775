import type { ComponentPropsWithRef, ReactNode } from "react"
import { type FieldError, type FieldValues, get, type Path, type PathValue, useFormContext } from "react-hook-form"
import { masking } from "#format/masks.ts"
import { Field, TextInput } from "./field.tsx"

interface Props<Form extends FieldValues> extends Omit<ComponentPropsWithRef<"input">, "name"> {
  name: Path<Form>
  label: string
  /** `unmarked` where a heading says so of several. */
  optional?: boolean | "unmarked"
  hint?: ReactNode
  mask?: ((text: string) => string) | undefined
}

/** One text of a form, required unless `optional`. */
export function FormText<Form extends FieldValues>({
  name,
  label,
  optional = false,
  hint,
  mask,
  className = "",
  ...rest
}: Props<Form>) {
  const { register, setValue, formState } = useFormContext<Form>()
  const masked =
    mask && masking(mask, (text) => setValue(name, text as PathValue<Form, Path<Form>>, { shouldDirty: true }))
  const registered = {
    ...register(name, masked && { onChange: masked.onChange }),
    ...(masked && { onCompositionEnd: masked.onCompositionEnd }),
  }
  return (
    <Field
      label={label}
      hint={hint}
      error={fieldProblem(get<object, FieldError | undefined>(formState.errors, name)?.message)}
      className={className}
      {...(optional === true && { aside: "opcional" })}
    >
      {(control) => <TextInput {...control} {...registered} aria-required={optional === false} {...rest} />}
    </Field>
  )
}

/** The whole sentence stands once, next to the button; fields show a short form. */
function fieldProblem(message: string | undefined): string | undefined {
  return message === "Preencha todos os campos obrigatórios" ? "Campo obrigatório" : message
}
