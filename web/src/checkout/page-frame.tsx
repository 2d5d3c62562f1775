/** @jsxImportSource preact */
import { initialsOf } from "@tilinta/contract/vocabulary/initials"
import { Icon } from "./icons.tsx"

/** What stands around every screen; it never changes, so the payer's script doesn't carry it. */
export function PageHeader({ sellerName }: { sellerName: string | null }) {
  return (
    <header>
      <p class="safe">
        <Icon name="lock" />
        Pagamento Seguro
      </p>
      {sellerName && (
        <p class="seller">
          <span class="av" aria-hidden="true">
            {initialsOf(sellerName)}
          </span>
          <span>
            Cobrança de <b>{sellerName}</b>
          </span>
        </p>
      )}
    </header>
  )
}

export function PageFooter({ platformName }: { platformName: string }) {
  return (
    <footer>
      Pagamento processado com segurança por <b>{platformName}</b>
    </footer>
  )
}
