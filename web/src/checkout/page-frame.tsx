import { initialsOf } from "@tilinta/contract/vocabulary/initials"
import { Icon } from "./icons.tsx"

/** The frame of every screen; it never changes, so the payer's script doesn't contain it. */
export function PageHeader({ sellerName }: { sellerName: string | null }) {
  return (
    <header>
      <p className="safe">
        <Icon name="lock" />
        Pagamento Seguro
      </p>
      {sellerName && (
        <p className="seller">
          <span className="av" aria-hidden="true">
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
