import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { LogoMark } from "#ui/logo.tsx"
import { productName } from "#ui/page-title.tsx"

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
