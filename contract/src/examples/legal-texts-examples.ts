import { acceptLegalTextsEndpoint, listMyLegalTextsEndpoint } from "../api/legal-texts-endpoints.ts"
import { defineExample } from "./define-example.ts"

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
    reply: { status: "success", data: { legalTexts: [{ ...terms, acceptedAt: null }, privacy] } },
    failures: [],
  }),
  defineExample(acceptLegalTextsEndpoint, {
    body: { versions: [{ kind: "terms", version: 1 }] },
    reply: {
      status: "success",
      data: { legalTexts: [{ ...terms, acceptedAt: "2026-11-21T12:05:00.000Z" }, privacy] },
    },
    failures: ["legal_text_changed"],
  }),
]
