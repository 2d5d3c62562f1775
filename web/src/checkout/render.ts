import { readFileSync } from "node:fs"
import { type CheckoutAssets, checkoutDocument } from "./checkout-document.tsx"
import type { CheckoutProps } from "./checkout-props.ts"

export type { CheckoutProps } from "./checkout-props.ts"

let assets: CheckoutAssets | undefined

/** The whole HTML of /checkout/*. Runs as web/dist/checkout/render.js, beside the script and the style sheet. */
export function renderCheckout(props: CheckoutProps, nonce: string): string {
  assets ??= { script: readBuilt("client.js"), style: readBuilt("style.css") }
  return checkoutDocument(props, nonce, assets)
}

function readBuilt(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8").replaceAll("</script", "<\\/script")
}
