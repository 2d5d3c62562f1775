import * as z from "zod/mini"
import { MAX_PASSWORD_LENGTH } from "./auth.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { secretText, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { ownerAlone } from "./vocabulary/team.ts"

const tag = "Retorno à loja"
const MOST_ORIGINS = 20

/** Needed in a session that was not confirmed by a step-up: one proof is enough. One that is sent must be right. */
const passwordCurrent = z.nullish(secretText(MAX_PASSWORD_LENGTH, "A senha é longa demais."))

const known = {
  origins: z.array(z.string()),
  /** Whether a key signs the way back: the first list that is saved makes it. */
  hasKey: z.boolean(),
}
export const returnOriginsView = z.object(known)
/** The key stands in the reply to the request that made it, once; null in every other. */
export const returnOriginsWithKey = z.object({ ...known, signingKey: z.nullable(z.string()) })

const reply = { status: 200, schema: success(returnOriginsWithKey) } as const

export const getReturnOriginsEndpoint = defineEndpoint("getReturnOrigins", heads.getReturnOrigins, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  tag,
  summary: "Os sites a que os pagadores podem voltar",
  reply: { status: 200, schema: success(returnOriginsView) },
})

const changeReturnOriginsBody = z.object({
  origins: z
    .array(text(300), "Informe a lista de origens.")
    .check(z.maxLength(MOST_ORIGINS, `Informe no máximo ${MOST_ORIGINS} origens.`)),
  passwordCurrent,
})

export const changeReturnOriginsEndpoint = defineEndpoint("changeReturnOrigins", heads.changeReturnOrigins, {
  audience: "seller",
  roles: ownerAlone,
  stepUp: "always",
  tag,
  summary:
    "Substitui a lista de sites a que os pagadores podem voltar; `signingKey`, que assina o retorno, só aparece na primeira vez",
  body: changeReturnOriginsBody,
  reply,
})

const rotateReturnKeyBody = z.object({ passwordCurrent })

export const rotateReturnKeyEndpoint = defineEndpoint("rotateReturnKey", heads.rotateReturnKey, {
  audience: "seller",
  roles: ownerAlone,
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary:
    "Troca a chave que assina o retorno: a anterior deixa de valer na hora. `signingKey` é null quando o pedido é repetido",
  body: rotateReturnKeyBody,
  reply,
})

const data = { origins: ["https://loja.exemplo.com.br"], hasKey: true, signingKey: "rtk_EXEMPLO" }

export const returnOriginsExamples = [
  defineExample(getReturnOriginsEndpoint, { data: { origins: [], hasKey: false }, failures: [] }),
  defineExample(changeReturnOriginsEndpoint, {
    body: { origins: ["https://loja.exemplo.com.br"], passwordCurrent: "senha-da-ana" },
    data,
    failures: ["too_many_requests"],
  }),
  defineExample(rotateReturnKeyEndpoint, {
    body: { passwordCurrent: "senha-da-ana" },
    data: { ...data, origins: [] },
    failures: ["idempotency_key_reused", "too_many_requests"],
  }),
]
