import { zodResolver } from "@hookform/resolvers/zod"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { CreateInvoiceBody, InvoiceView } from "@tilinta/contract/invoices"
import { useRef } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call, createSubmissions } from "#api/client.ts"
import { saoPauloDay } from "#format/dates.ts"
import { BackLink } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { invoicesKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { UnsavedChanges } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { lazyPart, Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { CustomerChoice } from "./customer-choice.tsx"
import { daysFor, emptyInvoice, formOf, type InvoiceForm, invoiceSchema } from "./invoice-form.ts"
import { InvoicePreview } from "./invoice-preview.tsx"
import { customerNameOf, invoiceQuery, todayQuery } from "./receivables-data.ts"
import { TermsFields } from "./terms-fields.tsx"

const route = getRouteApi("/session/receivables/$form")

const RemindersPage = lazyPart(() => import("./reminders-page.tsx"), "RemindersPage")

/** One address less for everybody's first load: `reminders` is the id of no invoice. */
export function InvoiceFormPage() {
  const { form } = route.useParams()
  return form === "reminders" ? <RemindersPage /> : <FormPage form={form} />
}

/** `create`, or the id of the invoice to change. */
function FormPage({ form }: { form: string }) {
  const { customer } = route.useSearch()
  const isNew = form === "create"
  return (
    <>
      <div>
        <BackLink to="/receivables">Voltar a A receber</BackLink>
        <PageTitle title={isNew ? "Cobrar cliente" : "Alterar cobrança"} />
        <p className="mt-1 text-t2">
          {isNew
            ? "O cliente recebe um link e paga por Pix até o dia combinado."
            : "O link continua o mesmo; o código Pix do dia deixa de valer, e o que vale até o fim do prazo pede o novo valor."}
        </p>
      </div>
      {isNew ? (
        <InvoiceEditor invoice={null} start={emptyInvoice(...(customer === undefined ? [] : [customer]))} />
      ) : (
        <Existing id={form} key={form} />
      )}
    </>
  )
}

function Existing({ id }: { id: string }) {
  // No refetch on focus: the server's values must not replace what is being typed.
  const known = useQuery({ ...invoiceQuery(id), refetchOnWindowFocus: false })
  if (known.data !== undefined) {
    return <InvoiceEditor invoice={known.data.invoice} start={formOf(known.data.invoice)} />
  }
  if (known.isError) return <QueryFailure query={known} failed={sellerTexts.invoiceFailed} />
  return (
    <div role="status" className="after-a-moment">
      <span className="sr-only">Carregando cobrança</span>
      <Skeleton className="h-96 w-full rounded-xl" />
    </div>
  )
}

function InvoiceEditor({ invoice, start }: { invoice: InvoiceView | null; start: InvoiceForm }) {
  const { data: today = saoPauloDay(new Date()) } = useQuery(todayQuery)
  const days = daysFor(invoice, today)
  const form = useForm({ resolver: zodResolver(invoiceSchema(days)), defaultValues: start })
  const { submit, failure } = useSendInvoice(invoice, form.getValues, (path, message) =>
    form.setError(path as "amount", { message }),
  )
  const { isDirty, isSubmitting } = form.formState
  const verb = invoice === null ? verbOf(...form.watch(["customerIds", "count"])) : "Salvar"
  return (
    <FormProvider {...form}>
      <UnsavedChanges when={isDirty && !isSubmitting} />
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
        className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]"
      >
        <div className="grid gap-4">
          {invoice === null ? <CustomerChoice /> : <Customer invoice={invoice} />}
          <TermsFields isNew={invoice === null} />
        </div>
        <div className="grid gap-4 lg:sticky lg:top-[92px]">
          <InvoicePreview today={today} days={days} />
          <FormAlert message={failure} />
          <Button variant="primary" type="submit" disabled={isSubmitting}>
            {isSubmitting ? "Enviando..." : verb}
          </Button>
          <Link to="/receivables" className={buttonClass("ghost")}>
            Cancelar
          </Link>
        </div>
      </form>
    </FormProvider>
  )
}

function verbOf(customerIds: readonly string[], count: string): string {
  if (customerIds.length > 1) return `Cobrar ${customerIds.length} clientes`
  return count === "1" ? "Cobrar" : `Cobrar em ${count} vezes`
}

function Customer({ invoice }: { invoice: InvoiceView }) {
  return (
    <Card className="grid gap-2 p-4 md:p-6">
      <CardHeader title="Cliente" />
      <p className="font-semibold break-words">{customerNameOf(invoice)}</p>
    </Card>
  )
}

/** One filled form creates one invoice, however often it is submitted. */
function useSendInvoice(
  invoice: InvoiceView | null,
  read: () => InvoiceForm,
  showProblem: (path: string, message: string) => void,
) {
  const submissions = useRef(createSubmissions())
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  async function send(body: CreateInvoiceBody): Promise<void> {
    const made = await (invoice === null ? create(body) : change(invoice, body))
    const words = made.length > 1 ? sellerTexts.invoicesCreated : sellerTexts.invoiceCreated
    toast.success(invoice === null ? words : sellerTexts.invoiceSaved)
    void queryClient.invalidateQueries({ queryKey: invoicesKey })
    const [only] = made.length === 1 ? made : []
    await navigate({ to: "/receivables", search: { invoice: only?._id } })
  }

  async function create(body: CreateInvoiceBody): Promise<InvoiceView[]> {
    const { customerIds, count } = read()
    const headers = { "Idempotency-Key": submissions.current({ body, customerIds, count }).key }
    if (customerIds.length > 1) {
      const { customerId: _one, externalReference: _own, ...shared } = body
      return (await call(heads.createInvoicesAtOnce, { body: { ...shared, customerIds }, headers })).data.invoices
    }
    if (Number(count) > 1) {
      return (await call(heads.createInstalments, { body: { ...body, count: Number(count) }, headers })).data.invoices
    }
    return [(await call(heads.createInvoice, { body, headers })).data.invoice]
  }

  /** Discounts that stay as they are may have ended meanwhile. */
  async function change(
    { _id, ...was }: InvoiceView,
    { daysAfterDue, discounts, mode: _mode, ...rest }: CreateInvoiceBody,
  ): Promise<InvoiceView[]> {
    const isSame = JSON.stringify(discounts) === JSON.stringify(was.discounts)
    const terms = { ...rest, daysAfterDue: daysAfterDue ?? was.daysAfterDue }
    const body = isSame ? terms : { ...terms, discounts }
    return [(await call(heads.updateInvoice, { params: { id: _id }, body })).data.invoice]
  }

  const failed = invoice === null ? sellerTexts.invoiceNotCreated : sellerTexts.invoiceNotSaved

  function failureOf(error: unknown): string {
    toast.error(failed, detailOf(error))
    return messageOf(error, failed)
  }

  return useSubmit(send, failureOf, showProblem)
}
