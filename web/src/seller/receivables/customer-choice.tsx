import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { CustomerView } from "@tilinta/contract/customers"
import { CUSTOMER_NAME_MAX } from "@tilinta/contract/vocabulary/customers"
import { useEffect, useRef, useState } from "react"
import { useFormContext } from "react-hook-form"
import { messageOf } from "#api/api-error.ts"
import { maskDocument, maskPhone } from "#format/masks.ts"
import { customerQuery } from "#seller/customers/customers-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button, IconButton } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { FormText } from "#ui/form-text.tsx"
import { SearchInput } from "#ui/list-filters.tsx"
import type { InvoiceForm } from "./invoice-form.ts"
import { foundCustomersQuery } from "./receivables-data.ts"

const CustomerField = FormText<InvoiceForm>

/** One or more whom the seller has, each of whom is charged the same, or a new one in place; `isSingle` where only one may be. */
export function CustomerChoice({ isSingle = false }: { isSingle?: boolean }) {
  const { watch, setValue } = useFormContext<InvoiceForm>()
  const [customerIds, isNew] = watch(["customerIds", "isNew"])
  const [addsMore, setAddsMore] = useState(false)
  const write = (ids: string[]) => setValue("customerIds", ids, { shouldDirty: true })
  const hasNone = customerIds.length === 0
  const isPicking = hasNone ? !isNew : addsMore
  return (
    <Card className="grid gap-3.5 p-4 md:gap-4 md:p-6">
      <CardHeader title={customerIds.length > 1 ? `${customerIds.length} clientes` : "Cliente"}>
        {hasNone && (
          <Button onClick={() => setValue("isNew", !isNew)}>{isNew ? "Escolher da lista" : "Novo cliente"}</Button>
        )}
      </CardHeader>
      {customerIds.map((id) => (
        <Chosen key={id} id={id} onRemove={() => write(customerIds.filter((other) => other !== id))} />
      ))}
      {hasNone && isNew && <NewCustomer />}
      {isPicking && <Picker chosen={customerIds} onChoose={(id) => write([...customerIds, id])} />}
      {!hasNone && !isSingle && (
        <Button
          icon={addsMore ? "check" : "plus"}
          className="justify-self-start"
          onClick={() => setAddsMore(!addsMore)}
        >
          {addsMore ? "Pronto" : "Cobrar o mesmo de outros clientes"}
        </Button>
      )}
    </Card>
  )
}

function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data, error } = useQuery(customerQuery(id))
  return (
    <div className="flex items-center justify-between gap-3">
      <p className="min-w-0 break-words">
        <b className="block font-semibold">{data?.name ?? "…"}</b>
        {data !== undefined && <span className="text-label text-t3">{contactOf(data)}</span>}
        {error !== null && (
          <span className="text-label text-coral">{messageOf(error, sellerTexts.customersFailed)}</span>
        )}
      </p>
      <IconButton icon="close" label={`Não cobrar ${data?.name ?? "este cliente"}`} onClick={onRemove} />
    </div>
  )
}

function NewCustomer() {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <CustomerField name="customer.name" label="Nome" maxLength={CUSTOMER_NAME_MAX} autoComplete="off" />
      <CustomerField name="customer.document" label="CPF ou CNPJ" optional mask={maskDocument} autoComplete="off" />
      <CustomerField name="customer.email" label="E-mail" optional type="email" inputMode="email" autoComplete="off" />
      <CustomerField
        name="customer.phone"
        label="Telefone"
        optional
        mask={maskPhone}
        type="tel"
        autoComplete="off"
        placeholder="(00) 00000-0000"
      />
    </div>
  )
}

/** More of them are found by typing. */
const SHOWN = 4

function Picker({ chosen, onChoose }: { chosen: readonly string[]; onChoose: (id: string) => void }) {
  const { formState } = useFormContext<InvoiceForm>()
  // The contract knows one customer.
  const problem = (formState.errors as { customerId?: { message?: string } }).customerId?.message
  const field = useRef<HTMLDivElement>(null)
  const { submitCount } = formState
  // It is no field of the form's, which would focus the first one below that is wrong.
  useEffect(() => {
    if (problem !== undefined && submitCount > 0) field.current?.querySelector("input")?.focus()
  }, [problem, submitCount])
  const [search, setSearch] = useState("")
  const query = foundCustomersQuery(search, chosen.length + SHOWN)
  const found = useQuery({ ...query, placeholderData: keepPreviousData })
  const others = (found.data ?? []).filter(({ _id }) => !chosen.includes(_id)).slice(0, SHOWN)
  const none =
    search === "" ? "Você ainda não tem clientes: cadastre o primeiro aqui mesmo." : "Nenhum cliente encontrado"
  return (
    <div ref={field} className="grid min-w-0 gap-2">
      <SearchInput label="Buscar cliente por nome, documento ou contato" value={search} onSearch={setSearch} />
      <div role="status" className="empty:hidden text-meta text-t3">
        {found.data?.length === 0 && none}
        {found.isError && messageOf(found.error, sellerTexts.customersFailed)}
      </div>
      <p role="alert" className="empty:hidden text-meta text-coral">
        {problem}
      </p>
      <div className="grid gap-2 empty:hidden sm:grid-cols-2">
        {others.map((customer) => (
          <button
            key={customer._id}
            type="button"
            onClick={() => onChoose(customer._id)}
            className="min-h-11 min-w-0 rounded-m border border-line px-3.5 py-2 text-left hover:border-ctl"
          >
            <span className="block truncate font-semibold text-t1">{customer.name}</span>
            <span className="block truncate text-meta text-t3">{contactOf(customer)}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

/** Distinguishes customers of one name. */
function contactOf({ document, email, phone }: CustomerView): string {
  const parts = [document && maskDocument(document), email, phone && maskPhone(phone)]
  return parts.filter((part) => part !== "").join(" · ") || "Sem contato cadastrado"
}
