/** @jsxImportSource preact */
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

const notInitials = /^(d[aeo]s?|e)$/i

/** Of the first two words that count: 'João da Silva' is JS; dashes, emojis and the like are no initials. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\d]/u.test(word) && !notInitials.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join("")
    .toUpperCase()
}
