import { Navigate, Outlet, useRouterState } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { bookReaders } from "@tilinta/contract/vocabulary/team"
import { useCallback, useEffect, useRef, useState } from "react"
import { actingShopOf, mayAs } from "#api/acting-shop.ts"
import { viewedUntil } from "#api/session-token.ts"
import { LegalNotice, LiveUpdates } from "#seller/live/live-updates.tsx"
import { useShortcut } from "#ui/browser-hooks.ts"
import { lazyDialog, lazyPart } from "#ui/lazy-part.tsx"
import { productName } from "#ui/page-title.tsx"
import { homePathOf, mayOpen } from "./places.ts"
import { nextMenuWidth, readMenuWidth, Sidebar, storeMenuWidth } from "./sidebar.tsx"
import { TopBar } from "./top-bar.tsx"

const MenuOverlay = lazyDialog(() => import("./menu-overlay.tsx"), "MenuOverlay")

const ShortcutsDialog = lazyDialog(() => import("./shortcuts-dialog.tsx"), "ShortcutsDialog")

const ViewBar = lazyPart(() => import("./view-bar.tsx"), "ViewBar")

const EmailNotice = lazyPart(() => import("./email-notice.tsx"), "EmailNotice")

export function Shell({ user }: { user: UserView }) {
  const [menuWidth, setMenuWidth] = useState(readMenuWidth)
  const [overlayOpen, setOverlayOpen] = useState(false)
  const [shortcutsOpen, setShortcutsOpen] = useState(false)
  const showShortcuts = useCallback(() => setShortcutsOpen(true), [])
  useShortcut("?", showShortcuts)
  const side = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEffect(() => setOverlayOpen(false), [path])
  // The screen that is shown: while another one loads, the address is ahead of it.
  const shown = useRouterState({ select: ({ matches, location }) => matches.at(-1)?.pathname ?? location.pathname })
  const until = viewedUntil()
  const isOwn = until === null
  const { role } = actingShopOf(user)

  function toggleMenu(): void {
    if (matchMedia("(max-width: 767px)").matches) {
      setOverlayOpen(true)
      return
    }
    const next = nextMenuWidth(side.current?.offsetWidth ?? 0)
    setMenuWidth(next)
    storeMenuWidth(next)
  }

  return (
    <div className="shell" data-menu={menuWidth}>
      <a
        href="#main"
        className="fixed -top-20 left-3 z-30 rounded-m bg-mint px-4 py-2.5 font-bold text-mint-ink opacity-0 focus:top-3 focus:opacity-100"
      >
        Pular para o conteúdo
      </a>
      <aside ref={side} className="shell-side border-r border-line bg-side">
        <Sidebar />
      </aside>
      <div className="flex min-w-0 flex-col">
        <TopBar user={user} onMenu={toggleMenu} onShortcuts={showShortcuts} />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto grid w-full max-w-[1240px] flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5 px-4 pt-3 pb-8 max-md:gap-3 md:px-8 md:pt-[30px]"
        >
          {isOwn && user.emailState === "unconfirmed" && <EmailNotice email={user.email} />}
          {isOwn && user.role === "user" && <LegalNotice />}
          {mayOpen(shown, role) ? <Outlet /> : <Navigate to={homePathOf(user)} replace />}
        </main>
        <footer className="mx-auto w-full max-w-[1240px] px-4 pb-8 text-meta text-t3 md:px-8">
          © 2025 {productName}. Valores em reais, horário de Brasília.
        </footer>
        {until !== null && <ViewBar name={user.name} until={until} />}
      </div>
      {isOwn && mayAs(role, bookReaders) && <LiveUpdates />}
      {overlayOpen && <MenuOverlay onClose={() => setOverlayOpen(false)} />}
      {shortcutsOpen && <ShortcutsDialog onClose={() => setShortcutsOpen(false)} />}
    </div>
  )
}
