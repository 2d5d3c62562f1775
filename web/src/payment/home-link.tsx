import { Link } from "@tanstack/react-router"
import { type ButtonLook, buttonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"

export function HomeLink({ look = "secondary" }: { look?: ButtonLook }) {
  return (
    <Link to="/" className={buttonClass(look)}>
      <Icon name="home" />
      Voltar ao Início
    </Link>
  )
}
