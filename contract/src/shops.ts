import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { documentOrNothing, emailOrNothing, phoneText, readableLine, readableLines, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { CLOSED_TEXT_MAX, logoTypes, SHOP_NAME_MAX, shopColors } from "./vocabulary/shops.ts"
import { bookReaders, managers } from "./vocabulary/team.ts"

const tag = "Minha loja"

/** Missing values are empty text, because the form shows every field. Without a name payers see no shop. */
export const shopView = z.object({
  name: z.string(),
  /** The seller's CPF or a CNPJ, without punctuation. */
  document: z.string(),
  /** Null without a logo. Its path is the same on each of our hosts. */
  logoUrl: z.nullable(z.string()),
  color: z.enum(shopColors),
  whatsapp: z.string(),
  email: z.string(),
  /** Shown on pages that take no payments any more. */
  closedText: z.string(),
})
export type ShopView = z.infer<typeof shopView>

const reply = { status: 200, schema: success(z.object({ shop: shopView })) } as const

export const getShopEndpoint = defineEndpoint("getShop", heads.getShop, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "shop:read",
  tag,
  summary: "A loja, como os pagadores a veem; sem nome, veem o nome do vendedor",
  reply,
})

const nameTooShort = "O nome da loja deve ter de 2 a 60 caracteres."

/** Any part of it; empty text removes. */
export const changeShopBody = z.object({
  name: z.optional(
    text(SHOP_NAME_MAX, nameTooShort).check(
      z.trim(),
      readableLine,
      z.refine((value) => value === "" || [...value].length >= 2, nameTooShort),
    ),
  ),
  document: z.optional(documentOrNothing()),
  color: z.optional(z.enum(shopColors, { error: "Cor desconhecida." })),
  whatsapp: z.optional(phoneText()),
  email: z.optional(emailOrNothing()),
  closedText: z.optional(
    text(CLOSED_TEXT_MAX, "O texto deve ter no máximo 300 caracteres.").check(z.trim(), readableLines),
  ),
})
export type ChangeShopBody = z.infer<typeof changeShopBody>

export const changeShopEndpoint = defineEndpoint("changeShop", heads.changeShop, {
  audience: "seller",
  roles: managers,
  stepUp: "by_data",
  scope: "shop:write",
  tag,
  summary:
    "Altera a loja, no todo ou em parte. Outro nome, documento ou contato pede confirmação, que um programa não pode dar",
  body: changeShopBody,
  reply,
})

export const putShopLogoEndpoint = defineEndpoint("putShopLogo", heads.putShopLogo, {
  audience: "seller",
  roles: managers,
  scope: "shop:write",
  tag,
  summary:
    "Guarda o logo: o corpo é o próprio arquivo PNG, JPEG ou WebP, até 512 kB, 4.096 px de lado e 16 megapixels. Fica o quadrado do meio, em 256 px, sem os metadados",
  bodyFile: logoTypes,
  reply,
})

export const removeShopLogoEndpoint = defineEndpoint("removeShopLogo", heads.removeShopLogo, {
  audience: "seller",
  roles: managers,
  scope: "shop:write",
  tag,
  summary: "Apaga o logo",
  reply: { status: 204 },
})

export const exampleShop: ShopView = {
  name: "Doces da Ana",
  document: "11222333000181",
  logoUrl: "https://pagar.example/logos/1f8ac10f23c5b5bc1167bda84b833e5c.png",
  color: "amber",
  whatsapp: "11987654321",
  email: "loja@docesdaana.example",
  closedText: "As encomendas de dezembro estão encerradas.",
}

/** The smallest PNG. */
const file = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const { logoUrl: _, ...typed } = exampleShop

export const shopsExamples = [
  defineExample(getShopEndpoint, { data: { shop: exampleShop }, failures: [] }),
  defineExample(changeShopEndpoint, {
    body: typed,
    data: { shop: { ...exampleShop, logoUrl: null } },
    failures: ["step_up_required"],
  }),
  defineExample(putShopLogoEndpoint, {
    file,
    data: { shop: exampleShop },
    failures: ["payload_too_large", "validation_failed", "service_unavailable"],
  }),
  defineExample(removeShopLogoEndpoint, { failures: [] }),
]
