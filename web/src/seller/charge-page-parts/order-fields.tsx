import { Link } from "@tanstack/react-router"
import { REFERENCE_MAX, RETURN_URL_MAX } from "@tilinta/contract/api/order-fields"
import { useFormContext } from "react-hook-form"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field } from "#ui/field.tsx"
import { inlineLink } from "#ui/inline-link.ts"
import { TextInput } from "#ui/text-input.tsx"

export interface OrderForm {
  externalReference: string
  returnUrl: string
}

/** For sellers whose shop or system keeps the order; others leave both empty. */
export function OrderFields() {
  const { register, formState } = useFormContext<OrderForm>()
  const { errors } = formState
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <CardHeader title="Integração com a sua loja" />
      <Field
        label="Referência"
        aside="opcional"
        hint="O número do pedido no seu sistema: aparece nas transações e na busca, e não se repete."
        error={errors.externalReference?.message}
      >
        {(field) => (
          <TextInput {...field} {...register("externalReference")} maxLength={REFERENCE_MAX} autoComplete="off" />
        )}
      </Field>
      <Field
        label="Endereço de retorno"
        aside="opcional"
        hint="Depois de pagar, o cliente volta à sua loja por aqui."
        error={errors.returnUrl?.message}
      >
        {(field) => (
          <TextInput
            {...field}
            {...register("returnUrl")}
            type="url"
            inputMode="url"
            maxLength={RETURN_URL_MAX}
            autoComplete="off"
            placeholder="https://loja.com.br/pedido/1042"
          />
        )}
      </Field>
      <p className="text-meta text-t3">
        O site precisa estar na sua lista de retorno à loja:{" "}
        <Link to="/developers" className={inlineLink}>
          Integrações
        </Link>
        .
      </p>
    </Card>
  )
}
