export const customerStatuses = ["active", "archived"] as const
export type CustomerStatus = (typeof customerStatuses)[number]

export const CUSTOMER_NAME_MAX = 140
export const CUSTOMER_NOTES_MAX = 1000

/** Headings of forms and files; the address has its own. */
export const customerLabels = {
  name: "Nome",
  document: "CPF ou CNPJ",
  email: "E-mail",
  phone: "Telefone",
  externalReference: "Referência",
  notes: "Anotações",
} as const

/** The fate of a row of a file that is imported. */
export const importOutcomes = ["new", "known", "invalid"] as const
export type ImportOutcome = (typeof importOutcomes)[number]

export const IMPORT_MAX_ROWS = 5000
export const IMPORT_MAX_BYTES = 2 * 1024 * 1024
