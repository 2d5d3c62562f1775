import type { ShownPix } from "./checkout-state.ts"
import { tabStorage } from "./tab-storage.ts"

const keyOf = (pageId: string): string => `pix.${pageId}`

/** A reload, or a visit to the bank's app, must find the same QR code again. Null removes it. */
export function storePix(pageId: string, pix: ShownPix | null): void {
  tabStorage.write(keyOf(pageId), JSON.stringify(pix))
}

export function loadPix(pageId: string): ShownPix | null {
  return JSON.parse(tabStorage.read(keyOf(pageId)) || "null")
}
