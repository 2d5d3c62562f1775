import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { CustomerView } from "@tilinta/contract/customers"
import { CUSTOMER_NAME_MAX } from "@tilinta/contract/vocabulary/customers"
import { useState } from "react"
import { useFormContext } from "react-hook-form"
import { messageOf } from "#api/api-error.ts"
import { maskDocument, maskPhone } from "#format/masks.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { FormText } from "#ui/form-text.tsx"
import { SearchInput } from "#ui/list-filters.tsx"
import type { InvoiceForm } from "./invoice-form.ts"
import { customerQuery, foundCustomersQuery } from "./receivables-data.ts"

const CustomerField = FormText<InvoiceForm>

/** A customer whom the seller has, or a new one in place. */
export function CustomerChoice() {
  const { watch, setValue } = useFormContext<InvoiceForm>()
  const [customerId, isNew] = watch(["customerId", "isNew"])
  const choose = (id: string) => setValue("customerId", id, { shouldDirty: true, shouldValidate: id !== "" })
  return (
    <Card className="grid gap-3.5 p-4 md:gap-4 md:p-6">
      <CardHeader title="Cliente">
        {customerId === "" && (
          <Button onClick={() => setValue("isNew", !isNew)}>{isNew ? "Escolher da lista" : "Novo cliente"}</Button>
        )}
      </CardHeader>
      {customerId !== "" && <Chosen id={customerId} onOther={() => choose("")} />}
      {customerId === "" && isNew && <NewCustomer />}
      {customerId === "" && !isNew && <Picker onChoose={choose} />}
    </Card>
  )
}

function Chosen({ id, onOther }: { id: string; onOther: () => void }) {
  const { data, error } = useQuery(customerQuery(id))
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 break-words">
        <b className="block font-semibold">{data?.name ?? "…"}</b>
        {data !== undefined && <span className="text-label text-t3">{contactOf(data)}</span>}
        {error !== null && (
          <span className="text-label text-coral">{messageOf(error, sellerTexts.customersFailed)}</span>
        )}
      </p>
      <Button onClick={onOther}>Trocar</Button>
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

function Picker({ onChoose }: { onChoose: (id: string) => void }) {
  const { formState } = useFormContext<InvoiceForm>()
  const [search, setSearch] = useState("")
  const found = useQuery({ ...foundCustomersQuery(search), placeholderData: keepPreviousData })
  const none =
    search === "" ? "Você ainda não tem clientes: cadastre o primeiro aqui mesmo." : "Nenhum cliente encontrado"
  return (
    <div className="grid min-w-0 gap-2">
      <SearchInput label="Buscar cliente por nome, documento ou contato" value={search} onSearch={setSearch} />
      <div role="status" className="empty:hidden text-meta text-t3">
        {found.data?.length === 0 && none}
        {found.isError && messageOf(found.error, sellerTexts.customersFailed)}
      </div>
      <p role="alert" className="empty:hidden text-meta text-coral">
        {formState.errors.customerId?.message}
      </p>
      {(found.data ?? []).map((customer) => (
        <button
          key={customer._id}
          type="button"
          onClick={() => onChoose(customer._id)}
          className="flex min-h-11 min-w-0 items-center gap-3 rounded-m border border-line px-3.5 py-2 text-left hover:border-ctl"
        >
          <span className="min-w-0">
            <span className="block truncate font-semibold text-t1">{customer.name}</span>
            <span className="block truncate text-meta text-t3">{contactOf(customer)}</span>
          </span>
        </button>
      ))}
    </div>
  )
}

/** What tells customers of one name apart. */
function contactOf({ document, email, phone }: CustomerView): string {
  const parts = [document && maskDocument(document), email, phone && maskPhone(phone)]
  return parts.filter((part) => part !== "").join(" · ") || "Sem contato cadastrado"
}
