import type { PublicShopView } from "@tilinta/contract/fields"
import { Icon, type IconName } from "./page-frame.tsx"
import { type Contact, contactOf } from "./payable-page.ts"

interface HeadProps {
  icon: IconName
  /** Heading and text. */
  words: readonly string[]
}

export function EndingHead({ icon, words: [heading, text] }: HeadProps) {
  return (
    <div className="done">
      <span className={`mark ${icon}`}>
        <Icon name={icon} />
      </span>
      <h1 tabIndex={-1} data-focus>
        {heading}
      </h1>
      <p>{text}</p>
    </div>
  )
}

interface ContactProps {
  contact: Contact | undefined
  className?: string
}

/** On every screen that ends a payment. */
export function ContactLink({ contact, className = "btn ghost" }: ContactProps) {
  return contact ? (
    <a className={className} href={contact.href}>
      {contact.label}
    </a>
  ) : null
}

const words = {
  unknown: ["Oops!", "Página de cobrança não encontrada ou expirada"],
  charge_page_not_open: ["Página ainda não aberta", "Esta página de cobrança ainda não está aberta"],
  charge_page_suspended: ["Página suspensa", "Esta página de cobrança não aceita pagamentos"],
}
const advice = {
  unknown: "Confira o endereço ou peça um novo link a quem enviou a cobrança.",
  charge_page_not_open:
    "Quem criou a cobrança precisa confirmar o e-mail da conta. Avise quem enviou o link e tente de novo depois.",
  charge_page_suspended:
    "Ela foi denunciada e está suspensa. Não pague por outro meio. Se você já pagou e desconfia de golpe, fale com o seu banco.",
}

interface OopsProps {
  why: keyof typeof words
  shop: PublicShopView | null
  supportEmail: string
}

/** Works without script: a reload, and whom to ask. */
export function OopsScreen({ why, shop, supportEmail }: OopsProps) {
  return (
    <main>
      <EndingHead icon="alert" words={words[why]} />
      <p className="ds mid">{advice[why]}</p>
      {shop?.closedText && (
        <section className="rc">
          <h2>{`Recado de ${shop.name}`}</h2>
          <p>{shop.closedText}</p>
        </section>
      )}
      <ContactLink contact={contactOf(shop, null)} className={why === "unknown" ? "btn pri" : "btn"} />
      <a className="btn" href="">
        Tentar novamente
      </a>
      {supportEmail && (
        <a className="btn ghost" href={`mailto:${supportEmail}`}>
          Falar com o suporte
        </a>
      )}
    </main>
  )
}
