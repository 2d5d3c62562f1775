import { Link } from "@tanstack/react-router"
import { REFERENCE_MAX, RETURN_URL_MAX } from "@tilinta/contract/charge-pages"
import { ownerAlone } from "@tilinta/contract/vocabulary/team"
import type { ReactNode } from "react"
import { useFormContext } from "react-hook-form"
import { useActingShop, useMay } from "#api/session.ts"
import { Fact, Facts } from "#ui/facts.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { MoreOptions } from "#ui/more-options.tsx"
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

export interface OrderForm {
  externalReference: string
  returnUrl: string
}

interface Props {
  /** The pairs that a program gave the page, which no form changes. */
  metadata?: Record<string, string>
}

/** Several payments, and what a key or a page of one's own is for. */
export function ChargePageOptions({ metadata = {} }: Props) {
  const { getValues, formState } = useFormContext<PaymentsLimitForm & OrderForm>()
  const { acceptsMany, externalReference, returnUrl } = getValues()
  const hasOrder = externalReference !== "" || returnUrl !== "" || Object.keys(metadata).length > 0
  const { errors } = formState
  const isWrong = [errors.maxPayments, errors.externalReference, errors.returnUrl].some(Boolean)
  return (
    <MoreOptions isSet={acceptsMany || hasOrder} isWrong={isWrong}>
      <PaymentsLimitFields />
      <IntegratedOnly hasOrder={hasOrder}>
        <OrderFields metadata={metadata} />
      </IntegratedOnly>
    </MoreOptions>
  )
}

/** Orders of another system mean nothing to a shop that has neither an API key nor a site to return to. */
function IntegratedOnly({ hasOrder, children }: { hasOrder: boolean; children: ReactNode }) {
  const isIntegrated = useActingShop()?.isIntegrated
  return hasOrder || isIntegrated ? children : null
}

function PaymentsLimitFields() {
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

/** For sellers whose shop or system keeps the order; others leave both empty. */
function OrderFields({ metadata }: { metadata: Record<string, string> }) {
  const { register, formState } = useFormContext<OrderForm>()
  const mayIntegrate = useMay(ownerAlone)
  const { errors } = formState
  const pairs = Object.entries(metadata)
  return (
    <section aria-labelledby="order" className="grid gap-4 border-t border-line pt-4">
      <h3 id="order" className="font-semibold">
        Pedido no seu sistema
      </h3>
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
        {mayIntegrate ? (
          <Link to="/developers" className={inlineLink}>
            Integrações
          </Link>
        ) : (
          "peça ao dono"
        )}
        .
      </p>
      {pairs.length > 0 && (
        <Facts>
          {pairs.map(([name, value]) => (
            <Fact key={name} term={name}>
              {value}
            </Fact>
          ))}
        </Facts>
      )}
    </section>
  )
}
