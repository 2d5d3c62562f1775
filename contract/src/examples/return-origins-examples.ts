import {
  changeReturnOriginsEndpoint,
  getReturnOriginsEndpoint,
  rotateReturnKeyEndpoint,
} from "../api/return-origins-endpoints.ts"
import { defineExample } from "./define-example.ts"

const data = { origins: ["https://loja.exemplo.com.br"], signingKey: "rtk_EXEMPLO" }

export const returnOriginsExamples = [
  defineExample(getReturnOriginsEndpoint, {
    reply: { status: "success", data: { origins: [], signingKey: null } },
    failures: [],
  }),
  defineExample(changeReturnOriginsEndpoint, {
    body: { origins: ["https://loja.exemplo.com.br"], passwordCurrent: "senha-da-ana" },
    reply: { status: "success", data },
    failures: ["too_many_requests"],
  }),
  defineExample(rotateReturnKeyEndpoint, {
    body: { passwordCurrent: "senha-da-ana" },
    reply: { status: "success", data: { ...data, origins: [] } },
    failures: ["idempotency_key_reused", "too_many_requests"],
  }),
]
