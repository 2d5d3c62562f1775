import { type KeyboardEvent, type ReactNode, useId, useRef } from "react"
import { iconButtonClass } from "./button.tsx"
import { Icon, type IconName } from "./icon.tsx"

interface Props {
  label: string
  /** Content of the trigger button. */
  button: ReactNode
  className?: string
  children: ReactNode
}

/** A popover under its button, navigated by the arrow keys. */
export function Menu({ label, button, className = "", children }: Props) {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)

  function place(): void {
    const anchor = trigger.current?.getBoundingClientRect()
    const popover = menu.current
    if (anchor === undefined || popover === null) return
    const below = anchor.bottom + 6
    const fits = below + popover.offsetHeight <= window.innerHeight - 8
    popover.style.top = `${fits ? below : Math.max(8, anchor.top - 6 - popover.offsetHeight)}px`
    popover.style.right = `${Math.max(12, document.documentElement.clientWidth - anchor.right)}px`
    itemsOf(popover)[0]?.focus()
  }

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const items = itemsOf(event.currentTarget)
    const at = items.findIndex((item) => item === document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key]
    if (event.key === "Tab") event.currentTarget.hidePopover()
    if (to === undefined) return
    event.preventDefault()
    items[to % items.length]?.focus()
  }

  return (
    <>
      <button ref={trigger} type="button" popoverTarget={id} aria-haspopup="menu" className={className}>
        {button}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        onToggle={(event) => {
          if (event.newState === "open") place()
        }}
        onKeyDown={move}
        // Before the item acts: what it opens remembers the focus, which must be on the menu's button by then.
        onClickCapture={(event) => {
          if ((event.target as Element).closest("[role=menuitem]") !== null) event.currentTarget.hidePopover()
        }}
        className="rise fixed inset-auto m-0 min-w-56 rounded-l border border-line-2 bg-s2 p-1.5 text-t1 shadow-float"
      >
        {children}
      </div>
    </>
  )
}

function itemsOf(popover: HTMLElement): HTMLElement[] {
  return [...popover.querySelectorAll<HTMLElement>("[role^=menuitem]")].filter((item) => item.checkVisibility())
}

export const menuItemClass =
  "flex min-h-11 w-full items-center gap-3 rounded-m px-3 text-left font-[550] text-t2 hover:bg-s3 hover:text-t1"

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
