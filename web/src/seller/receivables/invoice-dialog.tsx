import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { InvoiceRevision, InvoiceView } from "@tilinta/contract/invoices"
import { isOpenInvoice } from "@tilinta/contract/vocabulary/invoices"
import { managers } from "@tilinta/contract/vocabulary/team"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { useMay } from "#api/session.ts"
import { formatDateTime, formatDay } from "#format/dates.ts"
import { maskDocument, maskPhone } from "#format/masks.ts"
import { formatReais } from "#format/money-text.ts"
import { InvoiceBadge } from "#parts/invoices/invoice-badge.tsx"
import { invoicesKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useShopName } from "#seller/shop/shop-data.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { ConfirmDialog, Dialog } from "#ui/dialog.tsx"
import { AmountFact, AmountHead, DetailList, EmailFact, Fact, Facts, OrderFacts } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { TextDialog } from "#ui/text-dialog.tsx"
import { toast } from "#ui/toast.ts"
import { InvoiceReminders } from "./invoice-reminders.tsx"
import { amountOf, customerNameOf, invoiceQuery, whatsappLink } from "./receivables-data.ts"

type Question = "cancel" | "settle" | null

/** Addressable: 'back' closes it. */
export function InvoiceDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const opened = useQuery(invoiceQuery(id))
  const invoice = opened.data?.invoice
  const [question, setQuestion] = useState<Question>(null)
  const close = () => setQuestion(null)
  return (
    <>
      <Dialog
        title="Cobrança"
        onClose={onClose}
        footer={invoice !== undefined && isChangeable(invoice) && <Actions invoice={invoice} onAsk={setQuestion} />}
      >
        <OpenedRow query={opened} waiting="Carregando cobrança" failed={sellerTexts.invoiceFailed}>
          {({ invoice, revisions }) => <Details invoice={invoice} revisions={revisions} />}
        </OpenedRow>
      </Dialog>
      {question === "cancel" && invoice !== undefined && <CancelDialog invoice={invoice} onClose={close} />}
      {question === "settle" && invoice !== undefined && <SettleDialog invoice={invoice} onClose={close} />}
    </>
  )
}

/** An invoice whose days are over may still be paid another way, or get a later due day. */
function isChangeable({ status }: InvoiceView): boolean {
  return isOpenInvoice(status) || status === "expired"
}

function Actions({ invoice, onAsk }: { invoice: InvoiceView; onAsk: (question: Question) => void }) {
  const { _id, status } = invoice
  if (!useMay(managers)) return null
  return (
    <>
      {isOpenInvoice(status) && (
        <Button variant="quiet-danger" onClick={() => onAsk("cancel")}>
          Cancelar cobrança
        </Button>
      )}
      <Button onClick={() => onAsk("settle")}>Recebida por fora</Button>
      <Link to="/receivables/$form" params={{ form: _id }} className={buttonClass("secondary")}>
        {isOpenInvoice(status) ? "Editar" : "Cobrar de novo"}
      </Link>
    </>
  )
}

function Details({ invoice, revisions }: { invoice: InvoiceView; revisions: readonly InvoiceRevision[] }) {
  const {
    customer,
    description,
    state,
    status,
    transactionId,
    paidAt,
    openedAt,
    settledFor,
    externalReference,
    metadata,
  } = invoice
  return (
    <div className="grid gap-5">
      <div>
        <AmountHead reais={amountOf(invoice)}>
          <InvoiceBadge state={state} />
        </AmountHead>
        <p className="mt-1 break-words text-t2">
          <CustomerLink invoice={invoice} />
          {description !== "" && ` · ${description}`}
        </p>
      </div>
      {isOpenInvoice(status) && <Sharing invoice={invoice} />}
      <Parts invoice={invoice} />
      <Facts>
        <Fact term="Vencimento">{formatDay(invoice.dueDate)}</Fact>
        {isOpenInvoice(status) && <Fact term="Pode ser paga até">{formatDay(invoice.lastDay)}</Fact>}
        {(openedAt !== null || isOpenInvoice(status)) && (
          <Fact term="Aberta pelo cliente">{openedAt === null ? "Ainda não" : formatDateTime(openedAt)}</Fact>
        )}
        {paidAt !== null && <Fact term="Paga em">{formatDateTime(paidAt)}</Fact>}
        {transactionId !== null && (
          <Fact term="Transação">
            <Link to="/transactions" search={{ transaction: transactionId }} className={inlineLink}>
              Ver transação
            </Link>
          </Fact>
        )}
        {settledFor !== null && <Fact term="Recebida por fora">{settledFor}</Fact>}
        {customer.document !== "" && <Fact term="CPF ou CNPJ">{maskDocument(customer.document)}</Fact>}
        {customer.email !== "" && <EmailFact email={customer.email} />}
        {customer.phone !== "" && <Fact term="Telefone">{maskPhone(customer.phone)}</Fact>}
        <Fact term="Criada em">{formatDateTime(invoice.createdAt)}</Fact>
      </Facts>
      <OrderFacts transaction={{ externalReference, metadata: { order: metadata } }} />
      <InvoiceReminders invoice={invoice} />
      {revisions.length > 1 && <Revisions revisions={revisions} />}
    </div>
  )
}

function Sharing({ invoice }: { invoice: InvoiceView }) {
  const shop = useShopName()
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <a
        href={whatsappLink(invoice, shop)}
        target="_blank"
        rel="noreferrer"
        className={buttonClass("primary", "whitespace-nowrap")}
      >
        <Icon name="share" />
        Enviar no WhatsApp
      </a>
      <CopyButton
        variant="secondary"
        text={invoice.link}
        label="Copiar link"
        done={sellerTexts.linkCopied}
        failed={sellerTexts.listLinkNotCopied}
      />
      {invoice.pixCode !== null && (
        <CopyButton
          variant="secondary"
          text={invoice.pixCode}
          label="Copiar código Pix"
          done={sellerTexts.codeCopied}
          failed={sellerTexts.codeNotCopied}
        />
      )}
      <a
        href={`${invoice.link}/cobranca.pdf`}
        className={buttonClass("secondary", invoice.pixCode === null ? "sm:col-span-2" : "")}
      >
        <Icon name="file" />
        Baixar PDF
      </a>
    </div>
  )
}

function CustomerLink({ invoice }: { invoice: InvoiceView }) {
  const { _id, name } = invoice.customer
  if (name === "") return customerNameOf(invoice)
  return (
    <Link to="/customers/$id" params={{ id: _id }} className={inlineLink}>
      {name}
    </Link>
  )
}

/** Parts of the payment; before, of today's amount. An invoice that is over asks nothing. */
function Parts({ invoice: { amount, today, paid, status, mode } }: { invoice: InvoiceView }) {
  if (paid === null && !isOpenInvoice(status)) return null
  const { discount, fine, interest } = paid ?? today
  const difference = paid?.difference ?? 0
  return (
    <Facts>
      <AmountFact term="Valor original" reais={paid?.original ?? amount} />
      {discount > 0 && <AmountFact term="Desconto" reais={-discount} />}
      {fine > 0 && <AmountFact term="Multa" reais={fine} />}
      {interest > 0 && <AmountFact term="Juros" reais={interest} />}
      {difference !== 0 && (
        <AmountFact term={mode === "bank" ? "Diferença do banco" : "Diferença aceita"} reais={difference} />
      )}
      <AmountFact
        term={paid === null ? `A pagar em ${formatDay(today.day)}` : "Pago"}
        reais={(paid ?? today).amount}
        strong
      />
      {mode === "bank" && paid !== null && Math.abs(paid.amount - paid.expected) > 0.011 && (
        <AmountFact term="Pelas nossas contas, naquele dia" reais={paid.expected} />
      )}
    </Facts>
  )
}

function Revisions({ revisions }: { revisions: readonly InvoiceRevision[] }) {
  return (
    <DetailList title="Alterações">
      {revisions.map(({ revision, amount, dueDate, madeAt }) => (
        <li key={revision} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2.5">
          <span>
            {formatReais(amount)}, vencimento em {formatDay(dueDate)}
          </span>
          <span className="text-meta text-t3 tabular-nums">{formatDateTime(madeAt)}</span>
        </li>
      ))}
    </DetailList>
  )
}

function CancelDialog({ invoice, onClose }: { invoice: InvoiceView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call(heads.cancelInvoice, { params: { id: invoice._id } }),
    onSuccess: () => toast.success(sellerTexts.invoiceCancelled),
    onError: (error) => toast.error(messageOf(error, sellerTexts.invoiceNotCancelled), detailOf(error)),
    onSettled: () => {
      onClose()
      return queryClient.invalidateQueries({ queryKey: invoicesKey })
    },
  })
  return (
    <ConfirmDialog
      title="Cancelar cobrança?"
      verb="Cancelar cobrança"
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold text-t1">{customerNameOf(invoice)}</b> não poderá mais pagar{" "}
        <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">{formatReais(invoice.today.amount)}</b> por
        este link.
      </p>
      <p>Esta ação é irreversível.</p>
    </ConfirmDialog>
  )
}

const REASON_MAX = 200

function SettleDialog({ invoice, onClose }: { invoice: InvoiceView; onClose: () => void }) {
  const queryClient = useQueryClient()
  return (
    <TextDialog
      title="Recebida por fora"
      label="Como você recebeu"
      hint="Por exemplo: em dinheiro, no balcão."
      missing="Diga como a cobrança foi recebida"
      maxLength={REASON_MAX}
      verb="Encerrar cobrança"
      busyVerb="Encerrando..."
      onSend={async (reason) => {
        await call(heads.settleInvoiceOutside, { params: { id: invoice._id }, body: { reason } })
        toast.success(sellerTexts.invoiceSettled)
        await queryClient.invalidateQueries({ queryKey: invoicesKey })
      }}
      failureOf={(error) => messageOf(error, sellerTexts.invoiceNotSettled)}
      onClose={onClose}
    >
      <p>
        {customerNameOf(invoice)} pagou de outro jeito: a cobrança se encerra, o link deixa de receber e nada entra no
        seu saldo.
      </p>
    </TextDialog>
  )
}
