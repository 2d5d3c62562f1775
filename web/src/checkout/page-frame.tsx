import { initialsOf } from "@tilinta/contract/vocabulary/initials"
import { Icon } from "./icons.tsx"

interface HeaderProps {
  platformName: string
  sellerName: string | null
  isNewSeller: boolean
}

/** The frame of every screen; it never changes, so the payer's script doesn't contain it. */
export function PageHeader({ platformName, sellerName, isNewSeller }: HeaderProps) {
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
        {isNewSeller ? (
          "Pagamento por Pix"
        ) : (
          <>
            <Icon name="lock" />
            Pagamento Seguro
          </>
        )}
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
  isNewSeller: boolean
}

export function PageFooter({ platformName, reportPath, isNewSeller }: FooterProps) {
  return (
    <footer>
      {isNewSeller ? "Pagamento processado por " : "Pagamento processado com segurança por "}
      <b>{platformName}</b>
      {reportPath && <a href={reportPath}>Denunciar esta página</a>}
    </footer>
  )
}
