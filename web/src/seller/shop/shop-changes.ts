import * as heads from "@tilinta/contract/heads"
import { changeShopBody, type ShopView } from "@tilinta/contract/shops"
import { LOGO_MAX_BYTES, logoTypes } from "@tilinta/contract/vocabulary/shops"
import * as z from "zod/mini"
import { call } from "#api/client.ts"
import { maskDocument, maskPhone } from "#format/masks.ts"

/** The form has every field. */
export const shopSchema = z.required(changeShopBody)
export type ShopForm = z.input<typeof shopSchema>

export function shopFormOf(view: ShopView): ShopForm {
  const { logoUrl: _, ...shop } = view
  return { ...shop, document: maskDocument(shop.document), whatsapp: maskPhone(shop.whatsapp) }
}

/** Only what changed: another name, document or contact asks who the seller is, a colour doesn't. */
export async function saveShop(body: ShopForm, changed: readonly string[]): Promise<ShopView> {
  const changes = Object.fromEntries(Object.entries(body).filter(([name]) => changed.includes(name)))
  return (await call(heads.changeShop, { body: changes })).data.shop
}

export async function saveLogo(file: File): Promise<ShopView> {
  return (await call(heads.putShopLogo, { body: await sendable(file) })).data.shop
}

export async function removeLogo(): Promise<void> {
  await call(heads.removeShopLogo)
}

/** The reason why a file makes no logo, in words for the seller. */
export class LogoProblem extends Error {}

/** The size that is kept. */
const LOGO_PX = 256
const unreadable = "Não foi possível ler esta imagem. Escolha outra."

/** A file that the server takes as it is; of a larger photo its middle square. */
async function sendable(file: File): Promise<Blob> {
  if (!logoTypes.some((type) => type === file.type)) throw new LogoProblem("Escolha um arquivo PNG, JPEG ou WebP.")
  if (file.size <= LOGO_MAX_BYTES) return file
  const picture = await createImageBitmap(file).catch(() => {
    throw new LogoProblem(unreadable)
  })
  const canvas = document.createElement("canvas")
  canvas.width = LOGO_PX
  canvas.height = LOGO_PX
  const side = Math.min(picture.width, picture.height)
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2]
  const context = canvas.getContext("2d")
  if (context !== null) context.imageSmoothingQuality = "high"
  context?.drawImage(picture, left, top, side, side, 0, 0, LOGO_PX, LOGO_PX)
  const { promise, resolve } = Promise.withResolvers<Blob | null>()
  canvas.toBlob(resolve)
  const smaller = await promise
  if (smaller === null) throw new LogoProblem(unreadable)
  return smaller
}
