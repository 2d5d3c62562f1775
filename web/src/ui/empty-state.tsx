import type { ReactNode } from "react"
import { Icon, type IconName } from "./icon.tsx"

interface Props {
  icon: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className="grid justify-items-center gap-3 px-6 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-l bg-s2 text-t3">
        <Icon name={icon} className="size-6" />
      </span>
      <div className="grid max-w-sm gap-1">
        <p className="text-balance font-[650]">{title}</p>
        {children !== undefined && <p className="text-balance text-label text-t3">{children}</p>}
      </div>
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  )
}
