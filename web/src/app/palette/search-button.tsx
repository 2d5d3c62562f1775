import type { UserView } from "@tilinta/contract/users"
import { useEffect, useState } from "react"
import type { MenuEntry } from "#app/sidebar.tsx"
import { IconButton } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"

const PaletteDialog = lazyDialog(() => import("./palette-dialog.tsx"), "PaletteDialog")

const isApple = /Mac|iP/.test(navigator.platform)

interface Props {
  user: UserView
  /** Passed down, so that it is fetched once with the menu itself. */
  menu: readonly MenuEntry[]
  onShortcuts: () => void
}

/** Looks like a field; on phones only the icon is shown. */
export function SearchButton({ user, menu, onShortcuts }: Props) {
  const [open, setOpen] = useState(false)
  useSearchKeys(() => setOpen(true))
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-keyshortcuts="Control+K Meta+K"
        className="flex h-10 w-full items-center gap-2.5 rounded-m border border-line-2 bg-s1 px-3 text-t3 hover:border-ctl hover:text-t2 max-md:hidden"
      >
        <Icon name="search" className="size-[18px]" />
        <span className="flex-1 text-left">Buscar</span>
        <kbd className="touch:hidden font-sans text-meta font-semibold">{isApple ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <IconButton icon="search" label="Buscar" onClick={() => setOpen(true)} className="md:hidden" />
      {open && <PaletteDialog user={user} menu={menu} onShortcuts={onShortcuts} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Ctrl+K or Cmd+K, even while typing; not over an open dialog. */
function useSearchKeys(act: () => void): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (document.querySelector("dialog:modal") === null) act()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [act])
}
