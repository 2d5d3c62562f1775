import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { isoDateTime, success } from "./fields.ts"
import * as heads from "./heads.ts"
import { legalKinds } from "./vocabulary/mails.ts"

export const legalTextView = z.object({
  kind: z.enum(legalKinds),
  title: z.string(),
  /** 1, 2, 3 …: a text that was published never changes. */
  version: z.number(),
  publishedAt: isoDateTime,
  /** The page that shows it. */
  path: z.string(),
  /** When the account accepted this version; null until then. */
  acceptedAt: z.nullable(isoDateTime),
})

const tag = "Usuários"

export const listMyLegalTextsEndpoint = defineEndpoint("listMyLegalTexts", heads.listMyLegalTexts, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag,
  summary: "Os termos e a política em vigor, e quando a conta os aceitou",
  reply: { status: 200, schema: success(z.object({ legalTexts: z.array(legalTextView) })) },
})

export const acceptLegalTextsEndpoint = defineEndpoint("acceptLegalTexts", heads.acceptLegalTexts, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag,
  summary: "Aceita as versões que foram mostradas; 409 quando uma delas já não é a que está em vigor",
  body: z.object({
    versions: z
      .array(
        z.object({
          kind: z.enum(legalKinds, "Texto desconhecido."),
          version: z.int("Informe a versão.").check(z.minimum(1, "Informe a versão.")),
        }),
        "Informe as versões.",
      )
      .check(z.minLength(1, "Informe as versões."), z.maxLength(2, "Informe cada texto uma vez.")),
  }),
  reply: { status: 200, schema: success(z.object({ legalTexts: z.array(legalTextView) })) },
})

const terms = {
  kind: "terms",
  title: "Termos de Serviço",
  version: 1,
  publishedAt: "2026-11-20T12:00:00.000Z",
  path: "/termos",
} as const
const privacy = {
  kind: "privacy",
  title: "Política de Privacidade",
  version: 1,
  publishedAt: "2026-11-01T12:00:00.000Z",
  path: "/privacidade",
  acceptedAt: "2026-11-21T12:00:00.000Z",
} as const

export const legalTextsExamples = [
  defineExample(listMyLegalTextsEndpoint, {
    data: { legalTexts: [{ ...terms, acceptedAt: null }, privacy] },
    failures: [],
  }),
  defineExample(acceptLegalTextsEndpoint, {
    body: { versions: [{ kind: "terms", version: 1 }] },
    data: { legalTexts: [{ ...terms, acceptedAt: "2026-11-21T12:05:00.000Z" }, privacy] },
    failures: ["legal_text_changed"],
  }),
]
