import { readFileSync } from "node:fs"
import type { Document } from "openapi-backend"
import { parse } from "yaml"

type Json = Record<string, unknown>
type Mend = { why: string; apply(document: Json): void }

/** The callbacks' paths; they are added as operations, because validators know operations only. */
export const callbackPaths = { pix: "/aviso/pix", recs: "/aviso/rec", cobsr: "/aviso/cobr" } as const
const callbacks = [
  ["/webhook/{chave}", "listaPix", callbackPaths.pix],
  ["/webhookrec", "rec", callbackPaths.recs],
  ["/webhookcobr", "cobr", callbackPaths.cobsr],
] as const

/**
 * Corrections of defects in the document that would make nothing, or anything, valid. Its examples stay as they are,
 * unused.
 */
const mends: Mend[] = [
  {
    why: "The patterns of CPF and of the bank's branch stand between slashes, which no text has.",
    apply: (document) =>
      forEachPattern(document, (pattern) => (/^\/.*\/$/.test(pattern) ? pattern.slice(1, -1) : pattern)),
  },
  {
    why: "Most patterns have no anchors: '1234.567' would be a value, and a txid of 200 characters one of 26 to 35.",
    apply: (document) =>
      forEachPattern(document, (pattern) => (pattern.startsWith("^") ? pattern : `^(?:${pattern})$`)),
  },
  {
    why: "A txid in GET /pix is any of 1 to 35 characters, but is also bound to the 26 to 35 of a charge's.",
    apply: (document) => set(document, "components.schemas.TxId.pattern", "^[a-zA-Z0-9]{1,35}$"),
  },
  {
    why: "A list of Pix is required to have 'cobs'; its list is called 'pix'.",
    apply: (document) => set(document, "components.schemas.PixConsultados.required", ["parametros", "pix"]),
  },
  {
    why: "A webhook is required to have a 'cnpj'; its own example, and every bank, has the key that it is for.",
    apply(document) {
      set(document, "components.schemas.WebhookCompleto.required", ["webhookUrl", "chave", "criacao"])
      set(document, "components.schemas.WebhookCompleto.properties.chave", { type: "string", maxLength: 77 })
    },
  },
  {
    why: "A charge with a due day is required to have the receiver's address beside the receiver; its own example has it inside.",
    apply: (document) => set(document, "components.schemas.DadosRecebedor.required", []),
  },
  {
    why: "Charges with a due day are required to have an 'idCob' in lists, which no other place of the document knows.",
    apply: (document) =>
      forEachObject(document, (each) => {
        const required = each["required"]
        if (Array.isArray(required)) each["required"] = required.filter((name) => name !== "idCob")
      }),
  },
  {
    why: "A recurrence is required to have a 'retentativa', and its request an id, that no example has.",
    apply: (document) => set(document, "components.schemas.RecBase.required", ["calendario", "vinculo"]),
  },
  {
    why: "The payer's bank is required beside the payer; each example has it inside.",
    apply: (document) => set(document, "components.schemas.DadosPagadorRec.required", []),
  },
  {
    why: "A notified recurrence is required to have a field whose name ends with a quotation mark.",
    apply: (document) =>
      set(document, "components.schemas.RecNotification.required", ["idRec", "status", "atualizacao"]),
  },
  {
    why: "A request for a recurrence is required to have a 'pagador' and a 'rec', which no example has.",
    apply(document) {
      set(document, "components.schemas.SolicRecBase.required", ["calendario", "idRec", "destinatario"])
      set(document, "components.schemas.SolicRecCompleta.required", [])
    },
  },
  {
    why: "A made debit is required to have the receiver's name with the account; its own example has none.",
    apply: (document) =>
      forEachObject(document, (each) => {
        if (each["title"] === "Cobrança Recorrente Gerada") {
          each["allOf"] = (each["allOf"] as Json[]).filter(
            ({ properties }) => !properties || !("recebedor" in (properties as Json)),
          )
        }
      }),
  },
  {
    why: "An end is exactly one of a rejection and a cancellation, but neither requires its own field, so that it is both.",
    apply: (document) =>
      forEachObject(document, ({ oneOf }) => {
        if (!Array.isArray(oneOf)) return
        for (const each of oneOf as Json[]) {
          const [name = "", ...others] = Object.keys(each["properties"] ?? {})
          if (others.length === 0 && ["rejeicao", "cancelamento"].includes(name)) each["required"] = [name]
        }
      }),
  },
  {
    why: "The value of a debit's Pix is a text and at the same time one of five objects.",
    apply: (document) =>
      delete (get(document, ["components", "schemas", "PixAutomatico", "properties", "valor"]) as Json)["anyOf"],
  },
  {
    why: "A recurrence that can't be read together with a charge is refused with 400, which the paths leave out.",
    apply(document) {
      const answers = get(document, ["paths", "/rec/{idRec}", "get", "responses"]) as Json
      answers["400"] = get(document, ["paths", "/rec", "post", "responses", "400"])
    },
  },
  {
    why: "A location is said to be a URI, and written without its scheme in every example and every Pix code.",
    apply: (document) =>
      forEachObject(document, (each) => {
        if (each["format"] === "uri" && !/^[a-z]+:/.test(String(each["example"]))) delete each["format"]
      }),
  },
  {
    why: "Validators find an operation by its id, and none has one.",
    apply: (document) =>
      forEachOperation(document, (operation, method, path) => {
        operation["operationId"] = `${method.toUpperCase()} ${path}`
      }),
  },
  {
    why: "The validator reads answers of application/json only, and problems are application/problem+json.",
    apply: (document) => forEachContent(document, aliasProblem),
  },
  {
    why: "The callbacks hang below the registration of webhooks, where no validator looks.",
    apply(document) {
      for (const [registration, name, path] of callbacks) {
        const callback = get(document, ["paths", registration, "put", "callbacks", name]) as Json
        const [{ post }] = Object.values(callback) as [{ post: Json }]
        const paths = document["paths"] as Json
        paths[path] = { post: { ...post, operationId: `POST ${path}` } }
      }
    },
  },
]

/** The Central Bank's document with its defects corrected, limited to paths that begin so. */
export function readCentralBankDocument(beginnings: RegExp): Document {
  const text = readFileSync(new URL("./api-pix-2.9.0.yaml", import.meta.url), "utf8")
  const document = parse(text) as Json
  for (const { apply } of mends) apply(document)
  const paths = Object.entries(document["paths"] as Json).filter(([path]) => beginnings.test(path))
  return { ...document, paths: Object.fromEntries(paths) } as unknown as Document
}

function aliasProblem(content: Json): void {
  content["application/json"] ??= content["application/problem+json"]
}

function forEachPattern(document: Json, change: (pattern: string) => string): void {
  forEachObject(document, (each) => {
    if (typeof each["pattern"] === "string") each["pattern"] = change(each["pattern"])
  })
}

function forEachContent(document: Json, change: (content: Json) => void): void {
  forEachObject(document, ({ content }) => {
    if (typeof content === "object" && content !== null) change(content as Json)
  })
}

function forEachOperation(document: Json, change: (operation: Json, method: string, path: string) => void): void {
  for (const [path, item] of Object.entries(document["paths"] as Record<string, Json>)) {
    for (const [method, operation] of Object.entries(item)) {
      if (method !== "parameters") change(operation as Json, method, path)
    }
  }
}

function forEachObject(value: unknown, visit: (object: Json) => void): void {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) visit(value as Json)
  for (const each of Object.values(value)) forEachObject(each, visit)
}

function get(document: Json, path: string[]): unknown {
  return path.reduce<unknown>((found, name) => (found as Json)[name], document)
}

function set(document: Json, path: string, value: unknown): void {
  const names = path.split(".")
  const last = names.pop() ?? ""
  ;(get(document, names) as Json)[last] = value
}
