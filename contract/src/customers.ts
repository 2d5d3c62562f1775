import * as z from "zod/mini"
import { orderFields, referenceQuery } from "./charge-pages.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  documentOrNothing,
  emailOrNothing,
  exportFormat,
  exportReply,
  fieldProblem,
  id,
  isoDateTime,
  partOfList,
  phoneText,
  readableLines,
  requiredLine,
  searchQuery,
  success,
  successWithResults,
  text,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { addressSchema, addressView } from "./users.ts"
import { CUSTOMER_NAME_MAX, CUSTOMER_NOTES_MAX, customerStatuses, importOutcomes } from "./vocabulary/customers.ts"
import { emptyAddress } from "./vocabulary/people.ts"
import { bookReaders, managers } from "./vocabulary/team.ts"

const tag = "Clientes"

const nameText = requiredLine(
  CUSTOMER_NAME_MAX,
  "Nome é obrigatório",
  `O nome deve ter no máximo ${CUSTOMER_NAME_MAX} caracteres`,
)

const known = {
  document: z.nullish(documentOrNothing()),
  email: z.nullish(emailOrNothing()),
  phone: z.nullish(phoneText()),
  address: z.nullish(addressSchema),
  externalReference: orderFields.externalReference,
}
const notes = z.nullish(
  text(CUSTOMER_NOTES_MAX, `As anotações devem ter no máximo ${CUSTOMER_NOTES_MAX} caracteres`).check(
    z.trim(),
    readableLines,
  ),
)

/** A customer as whoever charges them may send it in the place of their `_id`. */
export const customerBody = z.object({ name: nameText, ...known })
export type CustomerBody = z.infer<typeof customerBody>

export const createCustomerBody = z.extend(customerBody, { notes })
export type CreateCustomerBody = z.infer<typeof createCustomerBody>

/** Any part of it; empty text or null removes, and an address is replaced as a whole. */
const updateCustomerBody = z.object({
  name: z.optional(nameText),
  ...known,
  notes,
  status: z.optional(z.enum(customerStatuses, "Status desconhecido.")),
})
export type UpdateCustomerBody = z.infer<typeof updateCustomerBody>

/** Missing values are empty text, because forms show every field. */
export const customerView = z.object({
  _id: id,
  name: z.string(),
  /** A CPF or CNPJ without punctuation. */
  document: z.string(),
  email: z.string(),
  /** Area code and number. */
  phone: z.string(),
  address: addressView,
  /** The seller's own: customers don't see it. */
  notes: z.string(),
  externalReference: z.nullable(z.string()),
  status: z.enum(customerStatuses),
  /** The sum of their open invoices today, overdue ones among them. */
  owed: z.object({ open: z.number(), overdue: z.number() }),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type CustomerView = z.infer<typeof customerView>

const params = z.object({ id: z.string() })
const oneCustomer = success(z.object({ customer: customerView }))

export const createCustomerEndpoint = defineEndpoint("createCustomer", heads.createCustomer, {
  audience: "seller",
  roles: managers,
  scope: "customers:write",
  isIdempotent: true,
  tag,
  summary: "Cadastra um cliente",
  body: createCustomerBody,
  reply: { status: 201, schema: oneCustomer },
})

const filters = {
  status: z._default(z.enum(customerStatuses, "Status desconhecido."), "active"),
  search: searchQuery(),
  externalReference: referenceQuery,
}

export const listCustomersEndpoint = defineEndpoint("listCustomers", heads.listCustomers, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "customers:read",
  tag,
  summary: "Os clientes do vendedor, em ordem alfabética",
  query: z.object({ ...partOfList(50), ...filters }),
  reply: { status: 200, schema: successWithResults({ customers: z.array(customerView) }) },
})

const importedRow = z.object({
  /** Its number in a spreadsheet: the headings are row 1. */
  line: z.number(),
  name: z.string(),
  outcome: z.enum(importOutcomes),
  /** Why it is invalid; else empty. */
  errors: z.array(fieldProblem),
})
export type ImportedRow = z.infer<typeof importedRow>

const customerImport = z.object({
  rows: z.array(importedRow),
  counts: z.object({ new: z.number(), known: z.number(), invalid: z.number() }),
  /** Headings that name no field of ours. */
  ignoredColumns: z.array(z.string()),
})
export type CustomerImport = z.infer<typeof customerImport>

export const importCustomersEndpoint = defineEndpoint("importCustomers", heads.importCustomers, {
  audience: "seller",
  roles: managers,
  scope: "customers:write",
  tag,
  summary:
    "Cadastra os clientes de um arquivo CSV, que é o próprio corpo: até 2 MB e 5.000 linhas, com os nomes das colunas na primeira, separadas por vírgula ou ponto e vírgula, em UTF-8 ou Windows-1252. Quem já está cadastrado (pelo documento, senão pelo e-mail com o mesmo nome, senão pela referência, senão pelo nome e telefone) fica como está, e linhas com erro ficam de fora. Com `dryRun=true` só confere",
  query: z.object({ dryRun: z._default(z.enum(["true", "false"], "Use true ou false."), "false") }),
  bodyFile: ["text/csv"],
  reply: { status: 200, schema: success(customerImport) },
})

export const exportCustomersEndpoint = defineEndpoint("exportCustomers", heads.exportCustomers, {
  audience: "seller",
  roles: bookReaders,
  scope: "customers:read",
  urgency: "last",
  tag,
  summary:
    "Os clientes que os filtros escolhem, todos, num arquivo `clientes_{AAAA-MM-DD}`, que pode ser importado de novo: CSV ou planilha",
  query: z.object({ ...filters, ...exportFormat }),
  reply: exportReply,
})

export const getCustomerEndpoint = defineEndpoint("getCustomer", heads.getCustomer, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "customers:read",
  tag,
  summary: "Um cliente",
  params,
  reply: { status: 200, schema: oneCustomer },
})

export const updateCustomerEndpoint = defineEndpoint("updateCustomer", heads.updateCustomer, {
  audience: "seller",
  roles: managers,
  scope: "customers:write",
  tag,
  summary: "Altera um cliente, no todo ou em parte; `status: active` reativa um arquivado",
  params,
  body: updateCustomerBody,
  reply: { status: 200, schema: oneCustomer },
})

export const archiveCustomerEndpoint = defineEndpoint("archiveCustomer", heads.archiveCustomer, {
  audience: "seller",
  roles: managers,
  scope: "customers:write",
  tag,
  summary: "Arquiva um cliente: sai da lista, e o que lhe foi cobrado fica",
  params,
  reply: { status: 204 },
})

const exampleCustomer: CustomerView = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  name: "Bruno Lima",
  document: "52998224725",
  email: "bruno@exemplo.com.br",
  phone: "11987654321",
  address: emptyAddress,
  notes: "Prefere WhatsApp",
  externalReference: "aluno-17",
  status: "active",
  owed: { open: 0, overdue: 0 },
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
}

const found = { id: exampleCustomer._id }

/** nome;e-mail, a customer, and one whose address is cut off. */
const twoRows = "bm9tZTtlLW1haWwNCkNhcmxhIERpYXM7Y2FybGFAZXhlbXBsby5jb20uYnINCkRvcmE7ZG9yYUANCg=="

export const customersExamples = [
  defineExample(createCustomerEndpoint, {
    body: {
      name: "Bruno Lima",
      document: "529.982.247-25",
      email: "bruno@exemplo.com.br",
      phone: "(11) 98765-4321",
      notes: "Prefere WhatsApp",
      externalReference: "aluno-17",
    },
    data: { customer: exampleCustomer },
    failures: ["customer_document_taken", "external_reference_taken", "idempotency_key_reused"],
  }),
  defineExample(listCustomersEndpoint, {
    query: { search: "bruno", limit: "10" },
    reply: { status: "success", results: 1, data: { customers: [exampleCustomer] } },
    failures: [],
  }),
  defineExample(importCustomersEndpoint, {
    query: { dryRun: "true" },
    file: twoRows,
    data: {
      rows: [
        { line: 2, name: "Carla Dias", outcome: "new", errors: [] },
        { line: 3, name: "Dora", outcome: "invalid", errors: [{ path: "email", message: "E-mail inválido" }] },
      ],
      counts: { new: 1, known: 0, invalid: 1 },
      ignoredColumns: [],
    },
    failures: ["payload_too_large", "validation_failed"],
  }),
  defineExample(exportCustomersEndpoint, { query: { format: "csv" }, failures: ["too_many_exports"] }),
  defineExample(getCustomerEndpoint, {
    params: found,
    data: { customer: exampleCustomer },
    failures: ["customer_not_found"],
  }),
  defineExample(updateCustomerEndpoint, {
    params: found,
    body: { phone: "(11) 91234-5678" },
    data: { customer: { ...exampleCustomer, phone: "11912345678" } },
    failures: ["customer_not_found", "customer_document_taken", "external_reference_taken"],
  }),
  defineExample(archiveCustomerEndpoint, { params: found, failures: ["customer_not_found"] }),
]
