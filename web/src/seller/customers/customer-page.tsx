import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import type { CustomerView } from "@tilinta/contract/customers"
import type { InvoiceView } from "@tilinta/contract/invoices"
import { customerLabels } from "@tilinta/contract/vocabulary/customers"
import { isOpenInvoice } from "@tilinta/contract/vocabulary/invoices"
import { managers } from "@tilinta/contract/vocabulary/team"
import { documentText } from "@tilinta/contract/vocabulary/typed-data"
import { type ReactNode, useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { useMay } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { maskPhone } from "#format/masks.ts"
import { addressLine } from "#parts/people/address-fields.tsx"
import { BackLink } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { SentReminder } from "#seller/receivables/invoice-reminders.tsx"
import { whatsappLink } from "#seller/receivables/receivables-data.ts"
import { customerRemindersQuery } from "#seller/receivables/reminders-data.ts"
import { customersKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useShopName } from "#seller/shop/shop-data.ts"
import { Badge } from "#ui/badge.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { EmailFact, Fact, Facts } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"
import { lazyDialog, lazyPart } from "#ui/lazy-part.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { CustomerInvoices } from "./customer-invoices.tsx"
import { customerInvoicesQuery, customerQuery, greetingLink, updateCustomer } from "./customers-data.ts"

const CustomerDialog = lazyDialog(() => import("./customer-dialog.tsx"), "CustomerDialog")

const ImportPage = lazyPart(() => import("./import-page.tsx"), "ImportPage")

const route = getRouteApi("/session/customers/$id")

/** One address less for everybody's first load: `import` is the id of nobody. */
export function CustomerPage() {
  const { id } = route.useParams()
  return id === "import" ? <ImportPage /> : <CustomerById id={id} />
}

function CustomerById({ id }: { id: string }) {
  const customer = useQuery(customerQuery(id))
  return (
    <>
      <div className="-mb-3">
        <BackLink to="/customers">Voltar aos clientes</BackLink>
      </div>
      {customer.data === undefined && <PageTitle title="Cliente" className="sr-only" />}
      <OpenedRow query={customer} waiting="Carregando cliente" failed={sellerTexts.customerFailed}>
        {(found) => <Customer customer={found} />}
      </OpenedRow>
    </>
  )
}

function Customer({ customer }: { customer: CustomerView }) {
  const [dialog, setDialog] = useState<"edit" | "archive" | null>(null)
  const invoices = useQuery(customerInvoicesQuery(customer._id))
  const isArchived = customer.status === "archived"
  const maySell = useMay(managers)
  const restore = useStatusChange(customer, "active")
  const close = () => setDialog(null)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          <PageTitle title={customer.name} documentTitle="Cliente" className="min-w-0" />
          {isArchived && <Badge tone="secondary">Arquivado</Badge>}
        </div>
        <div className="flex flex-wrap gap-2 md:gap-3">
          {!maySell ? null : isArchived ? (
            <Button variant="primary" disabled={restore.isPending} onClick={() => restore.mutate()}>
              Reativar
            </Button>
          ) : (
            <>
              <WhatsAppLink customer={customer} invoices={invoices.data ?? []} />
              <Link
                to="/receivables/$form"
                params={{ form: "create" }}
                search={{ customer: customer._id }}
                className={buttonClass("primary")}
              >
                Cobrar
              </Link>
            </>
          )}
        </div>
      </div>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
        <CustomerInvoices customer={customer} query={invoices} />
        <div className="grid grid-cols-1 gap-4">
          <CustomerFacts customer={customer}>
            {maySell && !isArchived && (
              <div className="flex flex-wrap gap-2">
                <Button icon="edit" onClick={() => setDialog("edit")}>
                  Editar
                </Button>
                <Button variant="quiet-danger" onClick={() => setDialog("archive")}>
                  Arquivar
                </Button>
              </div>
            )}
          </CustomerFacts>
          <CustomerReminders id={customer._id} />
        </div>
      </div>
      {dialog === "edit" && <CustomerDialog customer={customer} onClose={close} />}
      {dialog === "archive" && <ArchiveDialog customer={customer} onClose={close} />}
    </>
  )
}

/** About what has been open for the longest, or a greeting. */
function WhatsAppLink({ customer, invoices }: { customer: CustomerView; invoices: readonly InvoiceView[] }) {
  const shop = useShopName()
  const greeting = greetingLink(customer, shop)
  const open = invoices.find(({ status }) => isOpenInvoice(status))
  if (greeting === null) return null
  return (
    <a
      href={open === undefined ? greeting : whatsappLink(open, shop)}
      target="_blank"
      rel="noreferrer"
      className={buttonClass("secondary")}
    >
      <Icon name="share" />
      {open === undefined ? "Falar pelo WhatsApp" : "Lembrar pelo WhatsApp"}
    </a>
  )
}

function CustomerFacts({ customer, children }: { customer: CustomerView; children: ReactNode }) {
  const { document, email, phone, address, externalReference, notes, createdAt } = customer
  return (
    <Card className="grid grid-cols-1 gap-4 p-5 md:p-6">
      <CardHeader title="Dados" />
      <Facts>
        <Shown term={customerLabels.document} text={documentText(document)} />
        {email !== "" && <EmailFact email={email} />}
        <Shown term={customerLabels.phone} text={maskPhone(phone)} />
        <Shown term="Endereço" text={addressLine(address)} />
        <Shown term={customerLabels.externalReference} text={externalReference ?? ""} />
        <Fact term="Cadastro">{formatDateTime(createdAt)}</Fact>
      </Facts>
      {notes !== "" && (
        <div className="border-t border-line pt-4 text-label">
          <p className="text-t3">{customerLabels.notes} (só você vê)</p>
          <p className="mt-1 wrap-anywhere whitespace-pre-line text-t2">{notes}</p>
        </div>
      )}
      {children}
    </Card>
  )
}

/** Nothing before the first. */
function CustomerReminders({ id }: { id: string }) {
  const { data = [] } = useQuery(customerRemindersQuery(id))
  if (data.length === 0) return null
  return (
    <Card className="p-5 md:p-6">
      <CardHeader title="Lembretes" />
      <ul className="mt-2 grid divide-y divide-line text-label">
        {data.map((reminder) => (
          <SentReminder key={reminder._id} reminder={reminder} />
        ))}
      </ul>
    </Card>
  )
}

function Shown({ term, text }: { term: string; text: string }): ReactNode {
  return text === "" ? null : <Fact term={term}>{text}</Fact>
}

function useStatusChange(customer: CustomerView, status: CustomerView["status"]) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => updateCustomer(customer._id, { status }),
    onSuccess: (changed) => {
      queryClient.setQueryData(customerQuery(customer._id).queryKey, changed)
      toast.success(status === "active" ? sellerTexts.customerRestored : sellerTexts.customerArchived)
      return queryClient.invalidateQueries({ queryKey: customersKey })
    },
    onError: (error) => toast.error(messageOf(error, sellerTexts.customerNotSaved), detailOf(error)),
  })
}

function ArchiveDialog({ customer, onClose }: { customer: CustomerView; onClose: () => void }) {
  const archive = useStatusChange(customer, "archived")
  return (
    <ConfirmDialog
      title="Arquivar cliente?"
      verb="Arquivar"
      busy={archive.isPending}
      onConfirm={() => archive.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold text-t1">{customer.name}</b> sai da sua lista. O que já foi cobrado fica como está,
        e você pode reativar quando quiser.
      </p>
    </ConfirmDialog>
  )
}
