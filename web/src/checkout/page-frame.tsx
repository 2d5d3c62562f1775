import { initialsOf } from "@tilinta/contract/vocabulary/initials"
import { Icon } from "./icons.tsx"

interface HeaderProps {
  platformName: string
  sellerName: string | null
}

/** The frame of every screen; it never changes, so the payer's script doesn't contain it. */
export function PageHeader({ platformName, sellerName }: HeaderProps) {
  // Nothing is promised on a page that takes no payment.
  if (sellerName === null) {
    return (
      <header>
        <p className="safe">{platformName}</p>
      </header>
    )
  }
  return (
    <header>
      <p className="safe">
        <Icon name="lock" />
        Pagamento Seguro
      </p>
      <p className="seller">
        <span className="av" aria-hidden="true">
          {initialsOf(sellerName)}
        </span>
        <span>
          Cobrança de <b>{sellerName}</b>
        </span>
      </p>
    </header>
  )
}

interface FooterProps {
  platformName: string
  reportPath: string | null
}

export function PageFooter({ platformName, reportPath }: FooterProps) {
  return (
    <footer>
      Pagamento processado com segurança por <b>{platformName}</b>
      {reportPath && <a href={reportPath}>Denunciar esta página</a>}
    </footer>
  )
}
