import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import type { Stream } from "./events.ts"
import { id, isoDateTime, personReference, publicShopView, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { counterStaff } from "./vocabulary/team.ts"

const tag = "Balcão"

export const SCREEN_CODE_MINUTES = 10

export const screenView = z.object({
  _id: id,
  /** For the device that becomes the screen, ten minutes and once; only in the answer that made it. */
  code: z.nullable(z.string()),
  createdBy: personReference,
  createdAt: isoDateTime,
  /** Null until a device has used the code. */
  pairedAt: z.nullable(isoDateTime),
})
export type ScreenView = z.infer<typeof screenView>

/** Everything that the device learns. */
export const currentScreenView = z.object({
  shop: z.pick(publicShopView, { name: true, color: true, logoUrl: true }),
  /** The sale that its counter asks for now, and for a minute after it was paid. */
  sale: z.nullable(
    z.object({
      amount: z.number(),
      pixCode: z.string(),
      pixQrCodeBase64: z.string(),
      status: z.enum(["pendente", "pago"]),
      expiresAt: isoDateTime,
    }),
  ),
})
export type CurrentScreenView = z.infer<typeof currentScreenView>

const ofShop = z.object({ id })
const ofScreen = z.object({ id, screenId: id })

export const addScreenEndpoint = defineEndpoint("addScreen", heads.addScreen, {
  audience: "seller",
  roles: counterStaff,
  tag,
  summary: "Prepara uma tela do cliente: o código vale dez minutos e uma vez, em /tela no outro aparelho",
  params: ofShop,
  reply: { status: 201, schema: success(z.object({ screen: screenView })) },
})

export const listScreensEndpoint = defineEndpoint("listScreens", heads.listScreens, {
  audience: "seller",
  roles: counterStaff,
  whileFrozen: true,
  tag,
  summary: "As telas do cliente da loja",
  params: ofShop,
  reply: { status: 200, schema: success(z.object({ screens: z.array(screenView) })) },
})

export const showOnScreenEndpoint = defineEndpoint("showOnScreen", heads.showOnScreen, {
  audience: "seller",
  roles: counterStaff,
  tag,
  summary: "Mostra uma venda do balcão na tela do cliente, ou nenhuma",
  params: ofScreen,
  body: z.object({ transactionId: z.nullable(text(200)) }),
  reply: { status: 204 },
})

export const removeScreenEndpoint = defineEndpoint("removeScreen", heads.removeScreen, {
  audience: "seller",
  roles: counterStaff,
  tag,
  summary: "Desliga uma tela do cliente na hora",
  params: ofScreen,
  reply: { status: 204 },
})

export const pairScreenEndpoint = defineEndpoint("pairScreen", heads.pairScreen, {
  audience: "public",
  tag,
  summary: "Troca o código de uma tela pelo segredo dela, que só lê o que quem paga precisa ver",
  body: z.object({ code: z.prefault(text(20), "") }),
  reply: { status: 200, schema: success(z.object({ token: z.string() })) },
})

export const getCurrentScreenEndpoint = defineEndpoint("getCurrentScreen", heads.getCurrentScreen, {
  audience: "public",
  tag,
  summary: "O que a tela mostra agora, com o segredo dela no cabeçalho X-Screen",
  reply: { status: 200, schema: success(currentScreenView) },
})

export const screenStream = {
  operationId: "streamCurrentScreen",
  path: "/api/v1/screens/current/stream",
  audience: "public",
  tag,
  summary:
    "O que a tela mostra, ao vivo (text/event-stream, evento `screen`), com o segredo dela no cabeçalho X-Screen",
} as const satisfies Stream

const params = { id: "018f6b1c-2d3e-7a4b-8c5d-6e7f80910a11", screenId: "018f6b1c-2d3e-7a4b-8c5d-6e7f80910a14" }
const exampleScreen: ScreenView = {
  _id: params.screenId,
  code: "7KQM-2XWP",
  createdBy: { _id: "018f6b1c-2d3e-7a4b-8c5d-6e7f80910a12", name: "Bia Reis" },
  createdAt: "2026-11-21T12:00:00.000Z",
  pairedAt: null,
}

export const screensExamples = [
  defineExample(addScreenEndpoint, {
    params: { id: params.id },
    data: { screen: exampleScreen },
    failures: ["too_many_screens"],
  }),
  defineExample(listScreensEndpoint, {
    params: { id: params.id },
    data: { screens: [{ ...exampleScreen, code: null, pairedAt: "2026-11-21T12:01:00.000Z" }] },
    failures: [],
  }),
  defineExample(showOnScreenEndpoint, {
    params,
    body: { transactionId: null },
    failures: ["screen_not_found", "transaction_not_found"],
  }),
  defineExample(pairScreenEndpoint, {
    body: { code: "7KQM-2XWP" },
    data: { token: "3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk" },
    failures: ["screen_code_wrong", "too_many_requests"],
  }),
  defineExample(getCurrentScreenEndpoint, {
    data: {
      shop: { name: "Doces da Ana", color: "mint" },
      sale: {
        amount: 12.5,
        pixCode: "00020101021226830014br.gov.bcb.pix2561pix.exemplo.com.br/qr/v2/EXEMPLO5204000053039865802BR6304A1B2",
        pixQrCodeBase64: "iVBORw0KGgo=",
        status: "pendente",
        expiresAt: "2026-11-21T12:10:00.000Z",
      },
    },
    failures: ["screen_not_found"],
  }),
  defineExample(removeScreenEndpoint, { params, failures: ["screen_not_found"] }),
]
