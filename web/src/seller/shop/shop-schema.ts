import { changeShopBody, type ShopView } from "@tilinta/contract/shops"
import * as z from "zod/mini"
import { maskDocument, maskPhone } from "#format/masks.ts"

/** The form has every field. */
export const shopSchema = z.required(changeShopBody)
export type ShopForm = z.input<typeof shopSchema>

export function shopFormOf(view: ShopView): ShopForm {
  const { logoUrl: _, ...shop } = view
  return { ...shop, document: maskDocument(shop.document), whatsapp: maskPhone(shop.whatsapp) }
}
