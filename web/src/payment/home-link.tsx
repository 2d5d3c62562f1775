import { Link } from "@tanstack/react-router"
import { type ButtonLook, buttonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"

interface Props {
  look?: ButtonLook
  /** The payer's charge page: they have no account to go home to. */
  chargePath?: string | null
}

export function HomeLink({ look = "secondary", chargePath = null }: Props) {
  const content = (
    <>
      <Icon name="home" />
      Voltar ao Início
    </>
  )
  if (chargePath === null) {
    return (
      <Link to="/" className={buttonClass(look)}>
        {content}
      </Link>
    )
  }
  return (
    <a href={chargePath} className={buttonClass(look)}>
      {content}
    </a>
  )
}
