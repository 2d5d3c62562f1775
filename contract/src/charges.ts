import * as z from "zod/mini"
import {
  createAmount,
  DEFAULT_EXPIRY_HOURS,
  DESCRIPTION_MAX,
  descriptionTooLong,
  MAX_EXPIRY_HOURS,
  orderFields,
  orderView,
} from "./charge-pages.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  day,
  dayQuery,
  id,
  isoDateTime,
  optionalLines,
  pageReference,
  personReference,
  requiredLine,
  sentMoment,
  success,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { customerInfoBody } from "./payments.ts"
import { FAVOURITE_NAME_MAX, MOST_FAVOURITES } from "./vocabulary/shops.ts"
import { counterStaff, managers } from "./vocabulary/team.ts"
import { refundRequestStates, sellerStatusOf } from "./vocabulary/transactions.ts"

const hoursOutOfRange = `Informe um número inteiro de horas, de 1 a ${MAX_EXPIRY_HOURS}.`

const createChargeBody = z
  .object({
    amount: createAmount,
    description: optionalLines(DESCRIPTION_MAX, descriptionTooLong),
    ...orderFields,
    /** A sale at the shop's counter: ten minutes, and no page in the list of pages. Cashiers make no others. */
    counter: z.optional(z.boolean("Deve ser verdadeiro ou falso.")),
    payer: z.nullish(customerInfoBody),
    expiresInHours: z.nullish(
      z.int(hoursOutOfRange).check(z.gte(1, hoursOutOfRange), z.lte(MAX_EXPIRY_HOURS, hoursOutOfRange)),
    ),
    expiresAt: z.nullish(sentMoment()),
  })
  .check(
    z.refine(({ expiresInHours, expiresAt }) => !expiresInHours || !expiresAt, {
      path: ["expiresAt"],
      error: "Informe expiresInHours ou expiresAt, não os dois.",
    }),
  )

export const chargeView = z.object({
  _id: id,
  ...orderView,
  amount: z.number(),
  description: z.string(),
  status: z.enum(sellerStatusOf),
  pixCode: z.string(),
  /** The payer's own secret, which the three addresses below carry. */
  payerToken: z.string(),
  /** The QR code as a picture, for as long as it may be paid. */
  imageUrl: z.string(),
  /** Answers with `data.status`, without a session. */
  statusUrl: z.string(),
  /** The payer's own page, which leads on to `returnUrl`. */
  checkoutUrl: z.string(),
  /** The end of the code. */
  expiresAt: isoDateTime,
  createdAt: isoDateTime,
  checkoutPage: pageReference,
})
export type ChargeView = z.infer<typeof chargeView>

export const createChargeEndpoint = defineEndpoint("createCharge", heads.createCharge, {
  audience: "seller",
  roles: counterStaff,
  scope: "pages:write",
  isIdempotent: true,
  tag: "Cobranças avulsas",
  summary: `Cria uma cobrança e o seu Pix de uma vez, numa página só dela; vale ${DEFAULT_EXPIRY_HOURS} horas se o pedido não disser outro prazo`,
  body: createChargeBody,
  reply: { status: 201, schema: success(z.object({ charge: chargeView })) },
})

export const favouriteView = z.object({ name: z.string(), amount: z.number() })
export type FavouriteView = z.infer<typeof favouriteView>

const favouritesBody = z.object({
  favourites: z
    .array(
      z.object({ name: requiredLine(FAVOURITE_NAME_MAX, "Dê um nome ao favorito."), amount: createAmount }),
      "favourites é uma lista de nomes e valores.",
    )
    .check(z.maxLength(MOST_FAVOURITES, `Guarde no máximo ${MOST_FAVOURITES} favoritos.`)),
})

export const saveFavouritesEndpoint = defineEndpoint("saveFavourites", heads.saveFavourites, {
  audience: "seller",
  roles: managers,
  tag: "Balcão",
  summary: "Guarda os favoritos do balcão, na ordem em que o caixa os vê",
  body: favouritesBody,
  reply: { status: 200, schema: success(z.object({ favourites: z.array(favouriteView) })) },
})

const counterSums = { count: z.number(), amount: z.number() }

export const counterSaleView = z.object({
  _id: id,
  amount: z.number(),
  refundedAmount: z.number(),
  description: z.string(),
  status: z.enum(sellerStatusOf),
  soldBy: personReference,
  createdAt: isoDateTime,
  paidAt: z.nullable(isoDateTime),
  /** The first name of who paid, where the bank told it. */
  payerName: z.nullable(z.string()),
  /** The last request to undo it; null without one. */
  refundRequest: z.nullable(z.enum(refundRequestStates)),
})
export type CounterSaleView = z.infer<typeof counterSaleView>

export const counterShiftView = z.object({
  person: personReference,
  firstSaleAt: isoDateTime,
  /** Null while it goes on. A sale belongs to the shift that was open when its payment arrived. */
  closedAt: z.nullable(isoDateTime),
  ...counterSums,
})
export type CounterShiftView = z.infer<typeof counterShiftView>

export const counterDayView = z.object({
  day,
  /** Paid sales, less what was given back. */
  ...counterSums,
  people: z.array(z.object({ person: personReference, ...counterSums })),
  /** Those that were closed on the day; of today also the open ones, with their sales since yesterday. */
  shifts: z.array(counterShiftView),
  /** The newest two hundred, paid or not; of today also yesterday's of one's own open shift. */
  sales: z.array(counterSaleView),
  /** Named prices, for one tap. */
  favourites: z.array(favouriteView),
})
export type CounterDayView = z.infer<typeof counterDayView>

export const getCounterDayEndpoint = defineEndpoint("getCounterDay", heads.getCounterDay, {
  audience: "seller",
  roles: counterStaff,
  whileFrozen: true,
  tag: "Balcão",
  summary: "As vendas do balcão de hoje, com a soma de cada pessoa; de outro dia com `day`, que um caixa não escolhe",
  query: z.object({ day: dayQuery() }),
  reply: { status: 200, schema: success(z.object({ counter: counterDayView })) },
})

export const closeCounterShiftEndpoint = defineEndpoint("closeCounterShift", heads.closeCounterShift, {
  audience: "seller",
  roles: counterStaff,
  tag: "Balcão",
  summary:
    "Fecha o turno de quem chama, com o que foi pago desde o fechamento anterior (no máximo desde ontem); sem vendas novas nada muda, e a resposta é o último turno fechado",
  reply: { status: 200, schema: success(z.object({ shift: z.nullable(counterShiftView) })) },
})

const exampleShift: CounterShiftView = {
  person: { _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bia Reis" },
  firstSaleAt: "2026-11-21T12:00:00.000Z",
  closedAt: "2026-11-21T13:00:00.000Z",
  count: 1,
  amount: 12.5,
}

export const chargesExamples = [
  defineExample(closeCounterShiftEndpoint, { data: { shift: exampleShift }, failures: [] }),
  defineExample(getCounterDayEndpoint, {
    query: { day: "2026-11-21" },
    data: {
      counter: {
        day: "2026-11-21",
        count: 1,
        amount: 12.5,
        people: [{ person: exampleShift.person, count: 1, amount: 12.5 }],
        shifts: [exampleShift],
        sales: [
          {
            _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
            amount: 12.5,
            refundedAmount: 0,
            description: "Dois pães na chapa",
            status: "pago",
            soldBy: { _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bia Reis" },
            createdAt: "2026-11-21T12:00:00.000Z",
            paidAt: "2026-11-21T12:00:20.000Z",
            payerName: "Bruno",
            refundRequest: null,
          },
        ],
        favourites: [{ name: "Pão na chapa", amount: 6.5 }],
      },
    },
    failures: [],
  }),
  defineExample(saveFavouritesEndpoint, {
    body: { favourites: [{ name: "Pão na chapa", amount: 6.5 }] },
    data: { favourites: [{ name: "Pão na chapa", amount: 6.5 }] },
    failures: [],
  }),
  defineExample(createChargeEndpoint, {
    body: {
      amount: 89.9,
      externalReference: "pedido-1042",
      metadata: { loja: "Centro", cupom: "BEMVINDA" },
      description: "Pedido 1042",
      payer: { name: "Bruno Lima", email: "bruno@exemplo.com.br" },
      expiresInHours: 2,
    },
    data: {
      charge: {
        _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
        externalReference: "pedido-1042",
        metadata: { loja: "Centro", cupom: "BEMVINDA" },
        returnUrl: null,
        amount: 89.9,
        description: "Pedido 1042",
        status: "pendente",
        payerToken: "mK0xTj9vQ2cR7hYd3sWfZA",
        pixCode: "00020101021226830014br.gov.bcb.pix2561pix.exemplo.com.br/qr/v2/EXEMPLO5204000053039865802BR6304A1B2",
        imageUrl: "http://localhost:3000/payment/0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27/qr.png?k=mK0xTj9vQ2cR7hYd3sWfZA",
        statusUrl:
          "http://localhost:3000/api/v1/checkout/payment-status/0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27?k=mK0xTj9vQ2cR7hYd3sWfZA",
        checkoutUrl:
          "http://localhost:3000/checkout/RRPTSYG1wEUQowsK?pix=0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27&k=mK0xTj9vQ2cR7hYd3sWfZA",
        expiresAt: "2026-11-21T14:00:00.000Z",
        createdAt: "2026-11-21T12:00:00.000Z",
        checkoutPage: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", title: "Pedido 1042" },
      },
    },
    failures: [
      "external_reference_taken",
      "idempotency_key_reused",
      "psp_unavailable",
      "psp_refused",
      "charge_page_changed",
      "too_many_requests",
    ],
  }),
]
