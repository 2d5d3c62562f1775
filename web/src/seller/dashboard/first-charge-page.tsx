import { Link } from "@tanstack/react-router"
import { buttonClass } from "#ui/button.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import type { IconName } from "#ui/icon.tsx"

export function FirstChargePage({ icon, title, children }: { icon: IconName; title: string; children: string }) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <Link to="/checkouts/create" className={buttonClass("secondary")}>
          Criar primeira cobrança
        </Link>
      }
    >
      {children}
    </EmptyState>
  )
}
