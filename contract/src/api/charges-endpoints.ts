import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { sellerStatusOf } from "../vocabulary/transaction-status.ts"
import {
  createAmount,
  DEFAULT_EXPIRY_HOURS,
  DESCRIPTION_MAX,
  descriptionTooLong,
  MAX_EXPIRY_HOURS,
} from "./charge-pages-endpoints.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, optionalLines, pageReference, success, text } from "./fields.ts"
import { orderFields, orderView } from "./order-fields.ts"
import { customerInfoBody } from "./payments-endpoints.ts"

const hoursOutOfRange = `Informe um número inteiro de horas, de 1 a ${MAX_EXPIRY_HOURS}.`
const isMoment = (value: string): boolean => !Number.isNaN(Date.parse(value))

const createChargeBody = z
  .object({
    amount: createAmount,
    description: optionalLines(DESCRIPTION_MAX, descriptionTooLong),
    ...orderFields,
    payer: z.nullish(customerInfoBody),
    expiresInHours: z.nullish(
      z.int(hoursOutOfRange).check(z.gte(1, hoursOutOfRange), z.lte(MAX_EXPIRY_HOURS, hoursOutOfRange)),
    ),
    expiresAt: z.nullish(text(40).check(z.refine(isMoment, "Informe uma data e hora válidas."))),
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

export const createChargeEndpoint = defineEndpoint(heads.createCharge, {
  operationId: "createCharge",
  audience: "seller",
  scope: "pages:write",
  isIdempotent: true,
  tag: "Cobranças avulsas",
  summary: `Cria uma cobrança e o seu Pix de uma vez, numa página só dela; vale ${DEFAULT_EXPIRY_HOURS} horas se o pedido não disser outro prazo`,
  body: createChargeBody,
  reply: { status: 201, schema: success(z.object({ charge: chargeView })) },
})
