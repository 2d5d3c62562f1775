import type { PublicChargePageView } from "@tilinta/contract/charge-pages"
import type { PublicShopView } from "@tilinta/contract/fields"
import { initialsOf } from "@tilinta/contract/vocabulary/initials"
import { logoPath } from "@tilinta/contract/vocabulary/shops"
import { namedDocument } from "@tilinta/contract/vocabulary/typed-data"
import type { CheckoutState } from "./checkout-state.ts"

const paths = {
  lock: "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3",
  clock: "M12 3.5a8.5 8.5 0 1 0 .1 0M12 7.5V12l3 2",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "m5 12.5 4.5 4.5L19 7.5",
  alert: "M12 4 3 20h18zM12 10v4M12 17h.01",
}
export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

/** Each screen marks one element with `data-focus`. */
const pointOfInterest = "[data-focus],main input"

/** Both calls force a layout, so for a QR code they wait until its image is loading. */
export function enterScreen(): void {
  document.querySelector<HTMLElement>(pointOfInterest)?.focus({ preventScroll: true })
  scrollTo(0, 0)
}

/** Moves the focus to a new screen's point of interest, or to the field that was refused. */
export function focusAfter(before: CheckoutState, now: CheckoutState): void {
  const isReload = now.isRestored && !before.isRestored
  if (now.screen !== before.screen && !isReload) {
    if (now.screen === "awaiting") requestAnimationFrame(enterScreen)
    if (now.screen === "start") enterScreen()
  }
  if (now.problem && now.problem !== before.problem) document.getElementById(now.problem.field)?.focus()
}

interface HeaderProps {
  platformName: string
  /** Null on a page that takes no payment: nothing is promised there. */
  sellerName: string | null
  shop: PublicShopView | null
  isNewSeller: boolean
}

/** The frame of every screen; it never changes, so the payer's script doesn't contain it. */
export function PageHeader({ platformName, sellerName, shop, isNewSeller }: HeaderProps) {
  const isSafe = sellerName !== null && !isNewSeller
  return (
    <header>
      <p className="safe">
        {isSafe && <Icon name="lock" />}
        {sellerName === null ? platformName : isSafe ? "Pagamento Seguro" : "Pagamento por Pix"}
      </p>
      {shop ? <ShopLine shop={shop} /> : sellerName !== null && <PersonLine name={sellerName} />}
    </header>
  )
}

function PersonLine({ name }: { name: string }) {
  return (
    <p className="seller">
      <Initials name={name} />
      <span>
        Cobrança de <b>{name}</b>
      </span>
    </p>
  )
}

const LOGO_PX = 44

function ShopLine({ shop: { name, document, logoUrl } }: { shop: PublicShopView }) {
  return (
    <p className="seller">
      {logoUrl ? (
        <img src={logoPath(logoUrl)} alt="" width={LOGO_PX} height={LOGO_PX} decoding="async" />
      ) : (
        <Initials name={name} />
      )}
      <span>
        <b>{name}</b>
        {document && <small>{namedDocument(document)}</small>}
      </span>
    </p>
  )
}

function Initials({ name }: { name: string }) {
  return (
    <span className="av" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

interface FooterProps {
  platformName: string
  page: PublicChargePageView | null
  customerDataPath: string | null
  reportPath: string | null
  isNewSeller: boolean
}

export function PageFooter({ platformName, page, customerDataPath, reportPath, isNewSeller }: FooterProps) {
  return (
    <footer>
      {isNewSeller ? "Pagamento processado por " : "Pagamento processado com segurança por "}
      <b>{platformName}</b>
      {page && !page.invoice && (
        <p>
          Código da página: <b>{page.shortCode}</b>
        </p>
      )}
      {customerDataPath && <a href={customerDataPath}>Os seus dados</a>}
      {reportPath && <a href={reportPath}>Denunciar esta página</a>}
    </footer>
  )
}
