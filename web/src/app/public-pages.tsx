import { Navigate, Outlet } from "@tanstack/react-router"
import { useSession } from "#api/session.ts"
import { Icon, type IconName } from "#ui/icon.tsx"
import { homePathOf } from "./home-path.ts"
import { PublicLayout } from "./public-layout.tsx"

/** Login and registration: once the session is open, they redirect to the role's home. */
export function PublicPages() {
  const session = useSession()
  return session.status === "open" ? <Navigate to={homePathOf(session.user)} replace /> : <PublicFrame />
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
