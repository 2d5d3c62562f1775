import { readFileSync } from "node:fs"
import type { CheckoutProps } from "@tilinta/contract/pages/checkout-props"
import fontStyle from "../styles/font.css?inline"
import style from "./checkout.css?inline"
import { type CheckoutAssets, checkoutDocument } from "./checkout-document.tsx"
import choiceStyle from "./choice.css?inline"
import invoiceStyle from "./invoice.css?inline"
import laterStyle from "./later-screens.css?inline"
import plainStyle from "./plain-screens.css?inline"
import shopStyle from "./shop.css?inline"

let assets: CheckoutAssets | undefined

/** Renders the whole HTML of /checkout/*. Runs as web/dist/checkout/render.js, next to the client's script. */
export function renderCheckout(props: CheckoutProps, nonce: string): string {
  assets ??= {
    script: readBuilt("client.js"),
    choosingScript: readBuilt("choosing.js"),
    style,
    laterStyle,
    fontStyle,
    plainStyle,
    shopStyle,
    invoiceStyle,
    choiceStyle,
  }
  return checkoutDocument(props, nonce, assets)
}

function readBuilt(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8").replaceAll("</script", "<\\/script")
}
