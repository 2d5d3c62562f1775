import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, secretText, success, text } from "./fields.ts"
import * as heads from "./heads.ts"

const tag = "Avisos"

export const MOST_PUSH_SUBSCRIPTIONS = 10

export const getPushKeyEndpoint = defineEndpoint("getPushKey", heads.getPushKey, {
  audience: "public",
  tag,
  summary: "A chave pública (VAPID) com que um navegador assina os avisos desta instalação",
  /** An uncompressed point of P-256 in base64url, as `applicationServerKey` takes it. */
  reply: { status: 200, schema: success(z.object({ key: z.string() })) },
})

export const pushSubscriptionView = z.object({
  _id: id,
  /** The browser that asked for it, as its session names it. */
  device: z.string(),
  hideAmounts: z.boolean(),
  createdAt: isoDateTime,
  /** True of the session that asks. */
  isCurrent: z.boolean(),
})
export type PushSubscriptionView = z.infer<typeof pushSubscriptionView>

export const listPushSubscriptionsEndpoint = defineEndpoint("listPushSubscriptions", heads.listPushSubscriptions, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  tag,
  summary: "Os aparelhos que recebem os seus avisos",
  reply: { status: 200, schema: success(z.object({ subscriptions: z.array(pushSubscriptionView) })) },
})

const base64Url = (characters: number, message: string) =>
  secretText(characters, message).check(z.regex(/^[\w-]+=*$/, message))

const subscriptionReply = success(z.object({ subscription: pushSubscriptionView }))

export const savePushSubscriptionEndpoint = defineEndpoint("savePushSubscription", heads.savePushSubscription, {
  audience: "seller",
  roles: "person",
  tag,
  summary:
    "Liga os avisos no aparelho desta sessão, com o que `PushManager.subscribe()` respondeu, ou altera-os; sem `hideAmounts` ele fica como estava. Terminam com a sessão",
  body: z.object({
    endpoint: text(1000, "Informe o endereço que o navegador deu.").check(
      z.regex(/^https?:\/\/\S+$/, "Informe o endereço que o navegador deu."),
    ),
    keys: z.object({
      p256dh: base64Url(100, "Informe a chave que o navegador deu."),
      auth: base64Url(50, "Informe a chave que o navegador deu."),
    }),
    hideAmounts: z.optional(z.boolean("Use true ou false.")),
  }),
  reply: { status: 201, schema: subscriptionReply },
})

const params = z.object({ id: z.string() })

export const endPushSubscriptionEndpoint = defineEndpoint("endPushSubscription", heads.endPushSubscription, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  tag,
  summary: "Desliga os avisos em um aparelho",
  params,
  reply: { status: 204 },
})

export const testPushSubscriptionEndpoint = defineEndpoint("testPushSubscription", heads.testPushSubscription, {
  audience: "seller",
  roles: "person",
  tag,
  summary: "Manda um aviso de teste ao aparelho",
  params,
  /** False where the browser's service didn't take it: it may be out of reach, or has ended the subscription. */
  reply: { status: 200, schema: success(z.object({ isSent: z.boolean() })) },
})

const exampleSubscription: PushSubscriptionView = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1b31",
  device: "Chrome no Android",
  hideAmounts: false,
  createdAt: "2026-11-21T14:30:00.000Z",
  isCurrent: true,
}
const exampleKey = "BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo"

export const pushExamples = [
  defineExample(getPushKeyEndpoint, { data: { key: exampleKey }, failures: [] }),
  defineExample(listPushSubscriptionsEndpoint, { data: { subscriptions: [exampleSubscription] }, failures: [] }),
  defineExample(savePushSubscriptionEndpoint, {
    body: {
      endpoint: "https://push.example/send/abc",
      keys: { p256dh: exampleKey, auth: "8eDyX_uCN0XRhSbY5hs7Hg" },
      hideAmounts: false,
    },
    data: { subscription: exampleSubscription },
    failures: ["push_subscriptions_full"],
  }),
  defineExample(endPushSubscriptionEndpoint, {
    params: { id: exampleSubscription._id },
    failures: ["push_subscription_not_found"],
  }),
  defineExample(testPushSubscriptionEndpoint, {
    params: { id: exampleSubscription._id },
    data: { isSent: true },
    failures: ["push_subscription_not_found"],
  }),
]
