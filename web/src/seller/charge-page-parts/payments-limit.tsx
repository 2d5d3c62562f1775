import { Link } from "@tanstack/react-router"
import { REFERENCE_MAX, RETURN_URL_MAX } from "@tilinta/contract/charge-pages"
import { useFormContext } from "react-hook-form"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { Switch } from "#ui/switch.tsx"

export interface PaymentsLimitForm {
  acceptsMany: boolean
  maxPayments: string
}

/**
 * One by default; many means no limit unless one was written. Text that isn't a number is left to the schema to refuse.
 */
export function maxPaymentsBody({ acceptsMany, maxPayments }: PaymentsLimitForm): number | null {
  if (!acceptsMany) return 1
  return maxPayments.trim() === "" ? null : Number(maxPayments)
}

export function paymentsLimitOf(maxPayments: number | null): PaymentsLimitForm {
  if (maxPayments === 1) return { acceptsMany: false, maxPayments: "" }
  return { acceptsMany: true, maxPayments: maxPayments === null ? "" : String(maxPayments) }
}

export function PaymentsLimitFields() {
  const { register, watch, formState } = useFormContext<PaymentsLimitForm>()
  const many = watch("acceptsMany")
  return (
    <div className="grid gap-1">
      <Switch
        label="Aceitar vários pagamentos"
        hint={many ? "O mesmo link recebe de vários clientes." : "A página é concluída com o primeiro pagamento."}
        {...register("acceptsMany")}
      />
      {many && (
        <Field
          label="Limite de pagamentos"
          aside="opcional"
          hint="Em branco: sem limite."
          error={formState.errors.maxPayments?.message}
          className="mt-2 max-w-60"
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("maxPayments")}
              inputMode="numeric"
              maxLength={7}
              placeholder="Sem limite"
            />
          )}
        </Field>
      )}
    </div>
  )
}

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
