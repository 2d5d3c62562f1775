import { useQuery } from "@tanstack/react-query"
import type { listDestinationsEndpoint } from "@tilinta/contract/destinations"
import { accountKeyOf } from "@tilinta/contract/vocabulary/banks"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { useEffect } from "react"
import { Controller, FormProvider, useForm, useFormContext } from "react-hook-form"
import { messageOf } from "#api/api-error.ts"
import type { ReplyOf } from "#api/client.ts"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { paidWithinSentence } from "#format/withdrawal-texts.ts"
import { destinationsQuery, safeRetryHint } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { DestinationFields } from "./destination-fields.tsx"
import { emptyRequest, type Limits, type RequestForm, requestFormOf, requestResolver } from "./request-form.ts"
import { payoutAccountQuery, type RequestWithdrawal, withdrawalRulesQuery } from "./withdrawals-data.ts"

type Known = ReplyOf<typeof listDestinationsEndpoint>["data"]

/** Says that an administrator decides, and how long that took lately where enough was paid to tell. */
function WhoApproves() {
  const paidWithin = useQuery(destinationsQuery).data?.paidWithin ?? null
  return (
    <p className="flex items-start gap-2 text-label text-t2">
      <Icon name="clock" className="mt-0.5 size-[18px] flex-none text-t3" />
      <span className="min-w-0">Um administrador confere. {paidWithin !== null && paidWithinSentence(paidWithin)}</span>
    </p>
  )
}

/** Tells before the request what it would wait for; nothing while that isn't known. */
export function RequestHold() {
  const known = useQuery(destinationsQuery).data
  const form = useFormContext<RequestForm>().watch()
  const text = known === undefined ? "" : holdText(known, form)
  // The region is there before its text, or screen readers would not say it.
  return (
    <div role="status" className="empty:absolute">
      {text !== "" && <p className="rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">{text}</p>}
    </div>
  )
}

function holdText(known: Known, form: RequestForm): string {
  if (known.frozenAt !== null) {
    return "Os saques desta conta estão congelados. Entre com um segundo fator que já era seu, ou fale com o suporte."
  }
  const found = known.destinations.find((each) => isChosen(each, form))
  const untils = [known.heldUntil, found?.heldUntil ?? null].filter((until) => until !== null).toSorted()
  const isNew = found === undefined && known.newDestinationHours > 0 && isComplete(form)
  if (isNew) {
    const wait = `Destino novo: por segurança, este saque espera ${known.newDestinationHours} horas antes de ser aprovado`
    return known.heldUntil === null ? `${wait}.` : `${wait}, e todos esperam até ${formatDateTime(known.heldUntil)}.`
  }
  const until = untils.at(-1)
  return until === undefined ? "" : `Por segurança, este saque só pode ser aprovado depois de ${formatDateTime(until)}.`
}

function isComplete({ paymentMethod, pixKey, bankData }: RequestForm): boolean {
  if (paymentMethod === "pix") return parsePixKey(pixKey) !== null
  return bankData.bank !== "" && bankData.agency !== "" && bankData.account !== ""
}

function isChosen(known: Known["destinations"][number], { paymentMethod, pixKey, bankData }: RequestForm): boolean {
  if (known.paymentMethod !== paymentMethod) return false
  if (paymentMethod === "pix") return parsePixKey(pixKey)?.key === known.pixKey
  const { bankData: used } = known
  if (used === null || used.accountType !== bankData.accountType) return false
  return accountKeyOf(used).join(" ") === accountKeyOf(bankData).join(" ")
}

interface Props {
  available: number
  request: RequestWithdrawal
  onClose: () => void
}

export function RequestDialog({ available, request, onClose }: Props) {
  const account = useQuery(payoutAccountQuery)
  const { minimum, maxPix } = useQuery(withdrawalRulesQuery).data ?? { minimum: 0, maxPix: 0 }
  const form = useForm({
    resolver: requestResolver({ available, minimum, maxPix }),
    defaultValues: emptyRequest,
    // The profile loads later; input typed meanwhile stays.
    ...(account.data && {
      values: requestFormOf(account.data),
      resetOptions: { keepDirtyValues: true, keepIsSubmitted: true },
    }),
  })
  const { submit, failure } = useSubmit(
    request,
    (error) => ({ message: messageOf(error, sellerTexts.withdrawalNotRequested), hint: safeRetryHint(error) }),
    (path, message) => form.setError(path as "amount", { message }),
  )
  const { isSubmitting, isSubmitted } = form.formState
  const amount = form.watch("amount")
  useEffect(() => form.setFocus("amount"), [form])
  // The profile may arrive after the button was pressed: the form then says anew what is still missing.
  useEffect(() => {
    if (isSubmitted && account.data !== undefined) void form.trigger()
  }, [form, isSubmitted, account.data])

  return (
    <FormProvider {...form}>
      <FormDialog
        title="Solicitar Saque"
        verb={isSubmitting ? "Solicitando..." : `Solicitar saque${amount === null ? "" : ` de ${formatReais(amount)}`}`}
        busy={isSubmitting}
        onSubmit={form.handleSubmit(submit)}
        onClose={onClose}
        className="grid gap-5"
      >
        <AmountField available={available} minimum={minimum} maxPix={maxPix} />
        <DestinationFields />
        <WhoApproves />
        <RequestHold />
        <FormAlert message={failure?.message} />
        {failure?.hint !== undefined && <p className="text-label text-t2">{failure.hint}</p>}
      </FormDialog>
    </FormProvider>
  )
}

function AmountField(limits: Limits) {
  const { control, formState, setValue } = useFormContext<RequestForm>()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
      <Controller
        control={control}
        name="amount"
        render={({ field }) => (
          <Field label="Valor" hint={<LimitsHint {...limits} />} error={formState.errors.amount?.message}>
            {(described) => <MoneyInput {...described} {...field} aria-required />}
          </Field>
        )}
      />
      <Button
        className="mt-[26px]"
        onClick={() =>
          setValue("amount", limits.available, { shouldDirty: true, shouldValidate: formState.isSubmitted })
        }
      >
        Sacar tudo
      </Button>
    </div>
  )
}

/** Each limit stays whole where both don't fit on one line. */
function LimitsHint({ available, minimum, maxPix }: Limits) {
  return (
    <span className="flex flex-wrap gap-x-3">
      <span>Saldo disponível: {formatReais(available)}</span>
      {minimum > 0.01 && <span>Mínimo: {formatReais(minimum)}</span>}
      {maxPix > 0 && <span>Por Pix até {formatReais(maxPix)}</span>}
    </span>
  )
}
