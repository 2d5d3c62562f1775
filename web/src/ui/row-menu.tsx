import type { ReactNode } from "react"
import { Icon, type IconName } from "./icon.tsx"
import { iconButtonClass } from "./icon-button.tsx"
import { Menu, menuItemClass } from "./menu.tsx"

/** One button with every action of a row, in words. */
export function RowMenu({ of, children }: { of: string; children: ReactNode }) {
  const label = `Ações de ${of}`
  return (
    <Menu
      label={label}
      className={iconButtonClass}
      button={
        <>
          <Icon name="more" className="size-5 stroke-3" />
          <span className="sr-only">{label}</span>
        </>
      }
    >
      {children}
    </Menu>
  )
}

interface ItemProps {
  icon: IconName
  children: string
  onClick: (button: HTMLButtonElement) => void
  /** The reason why it can't be chosen now; it stays reachable, so that the reason is read. */
  barred?: string | undefined
  isDanger?: boolean
}

export function RowMenuItem({ icon, children, onClick, barred, isDanger = false }: ItemProps) {
  const colour = barred === undefined && isDanger ? "text-coral hover:text-coral" : ""
  return (
    <button
      type="button"
      role="menuitem"
      aria-disabled={barred !== undefined}
      onClick={(event) => {
        if (barred === undefined) onClick(event.currentTarget)
        else event.stopPropagation()
      }}
      className={`${menuItemClass} ${colour} aria-disabled:cursor-not-allowed aria-disabled:text-t3`}
    >
      <Icon name={icon} />
      <span>
        {children}
        {barred !== undefined && <span className="block text-meta font-normal">{barred}</span>}
      </span>
    </button>
  )
}
