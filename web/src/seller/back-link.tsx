import { Link } from "@tanstack/react-router"
import { Icon } from "#ui/icon.tsx"

export function BackLink({ to, children }: { to: "/dashboard" | "/checkouts"; children: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2 justify-self-start rounded-m pr-2 text-label font-semibold text-t2 hover:text-t1"
    >
      <Icon name="arrowLeft" className="size-[18px]" />
      {children}
    </Link>
  )
}
