import { Link, Navigate, Outlet } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { pendingInvitation } from "#api/acting-shop.ts"
import { useSession } from "#api/session.ts"
import { Icon, type IconName, LogoMark } from "#ui/icon.tsx"
import { productName } from "#ui/page-title.tsx"
import { homePathOf } from "./places.ts"

export function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-[radial-gradient(90%_60%_at_50%_-10%,oklch(0.26_0.045_178),transparent_70%)] px-4">
      <header className="mx-auto flex w-full max-w-[1080px] py-5 md:py-7">
        <Link
          to="/"
          className="flex min-h-11 items-center gap-[11px] rounded-m pr-2 text-[20px] font-[750] tracking-[-0.025em]"
        >
          <LogoMark />
          {productName}
        </Link>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid w-full flex-1 content-start justify-items-center pb-10 md:pt-[4vh]"
      >
        {children}
      </main>
      <footer className="py-6 text-center text-meta text-t3">
        © 2025 {productName}. Todos os direitos reservados.
      </footer>
    </div>
  )
}

/** Login and registration: once the session is open, they redirect to the role's home, or to the invitation by which the person came. */
export function PublicPages() {
  const session = useSession()
  const invitation = pendingInvitation()
  if (session.status !== "open") return <PublicFrame />
  if (invitation !== null) return <Navigate to="/convite/$token" params={{ token: invitation }} replace />
  return <Navigate to={homePathOf(session.user)} replace />
}

/** Used alone for links from mails, which work whoever is signed in. */
export function PublicFrame() {
  return (
    <PublicLayout>
      <div className="grid w-full max-w-[1080px] items-start justify-items-center gap-x-16 lg:grid-cols-[minmax(0,1fr)_auto]">
        <Pitch />
        <Outlet />
      </div>
    </PublicLayout>
  )
}

const points: readonly { icon: IconName; title: string; text: string }[] = [
  {
    icon: "share",
    title: "Um link para cada cobrança",
    text: "Envie por mensagem, e-mail ou onde o seu cliente estiver.",
  },
  { icon: "check", title: "Confirmação na hora", text: "O Pix caiu, o painel mostra: sem conferir comprovante." },
  { icon: "exchange", title: "Tudo às claras", text: "Valor bruto, taxa e líquido de cada transação." },
]

/** Fills the other half of a wide screen. */
function Pitch() {
  return (
    <div className="w-full max-w-[460px] justify-self-start pt-10 max-lg:hidden">
      <p className="text-[40px] leading-[1.1] font-bold tracking-[-0.035em] text-balance">
        Cobre por Pix <span className="text-mint">com um link.</span>
      </p>
      <ul className="mt-9 grid gap-6">
        {points.map(({ icon, title, text }) => (
          <li key={title} className="flex gap-4">
            <span className="grid size-11 flex-none place-items-center rounded-m border border-mint-line bg-mint-bg text-mint">
              <Icon name={icon} />
            </span>
            <span>
              <b className="block font-[650]">{title}</b>
              <span className="block text-t2">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
