import { CLOSED_TEXT_MAX, shopColorCodes, shopColorLabels, shopColors } from "@tilinta/contract/vocabulary/shops"
import type { ComponentPropsWithRef } from "react"
import { useFormContext } from "react-hook-form"
import { maskDocument, masking, maskPhone } from "#format/masks.ts"
import { Field, TextArea, TextInput } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import type { ShopForm } from "./shop-changes.ts"

type TextName = "name" | "document" | "whatsapp" | "email"

const masks: Partial<Record<TextName, (text: string) => string>> = { document: maskDocument, whatsapp: maskPhone }

interface Props extends Omit<ComponentPropsWithRef<"input">, "name"> {
  name: TextName
  label: string
  hint?: string
}

/** One text of the shop; none is required. */
export function ShopField({ name, label, hint, ...rest }: Props) {
  const { register, setValue, formState } = useFormContext<ShopForm>()
  const mask = masks[name]
  const masked = mask && masking(mask, (text) => setValue(name, text, { shouldDirty: true }))
  const registered = {
    ...register(name, masked && { onChange: masked.onChange }),
    ...(masked && { onCompositionEnd: masked.onCompositionEnd }),
  }
  return (
    <Field label={label} hint={hint} error={formState.errors[name]?.message} aside="opcional">
      {(control) => <TextInput {...control} {...registered} {...rest} />}
    </Field>
  )
}

/** Swatches with a name each: a colour alone would say nothing to many. */
export function ColorField() {
  const { register } = useFormContext<ShopForm>()
  return (
    <fieldset>
      <legend className="mb-2 text-label font-semibold text-t2">Cor</legend>
      <div className="grid grid-cols-3 gap-2 sm:grid-cols-6">
        {shopColors.map((color) => (
          <label
            key={color}
            className="grid min-h-11 cursor-pointer justify-items-center gap-1.5 rounded-m border border-line-2 px-1 py-2.5 text-meta text-t2 has-checked:border-ctl has-checked:bg-s3 has-checked:text-t1 has-focus-visible:outline-2 has-focus-visible:outline-mint"
          >
            <input type="radio" value={color} {...register("color")} className="peer sr-only" />
            <span
              className="grid size-8 place-items-center rounded-full text-bg *:opacity-0 peer-checked:*:opacity-100"
              style={{ backgroundColor: shopColorCodes[color] }}
            >
              <Icon name="check" className="size-5 stroke-3" />
            </span>
            {shopColorLabels[color]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function ClosedTextField() {
  const { register, watch, formState } = useFormContext<ShopForm>()
  return (
    <Field
      label="Recado"
      hint="Quem abre uma cobrança vencida, cancelada ou suspensa lê este recado."
      aside={`${watch("closedText").length}/${CLOSED_TEXT_MAX}`}
      error={formState.errors.closedText?.message}
    >
      {(control) => (
        <TextArea
          {...control}
          {...register("closedText")}
          maxLength={CLOSED_TEXT_MAX}
          rows={3}
          placeholder="As encomendas de dezembro estão encerradas. Fale com a gente para janeiro."
        />
      )}
    </Field>
  )
}
