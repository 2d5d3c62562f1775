import { QueryClientProvider } from "@tanstack/react-query"
import { Link, Outlet } from "@tanstack/react-router"
import { Icon, LogoMark } from "#ui/icon.tsx"
import { productName } from "#ui/page-title.tsx"
import { queryClient } from "./session-gate.tsx"

/** The frame of a payment's result, the same whoever is signed in on the device. */
export function PaymentFrame() {
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex min-h-dvh flex-col bg-[radial-gradient(90%_60%_at_50%_-10%,oklch(0.26_0.045_178),transparent_70%)] print:bg-none">
        <header>
          <p className="flex items-center justify-center gap-2 border-b border-mint-line bg-mint-bg px-4 py-2 text-label font-semibold text-mint print:hidden">
            <Icon name="lock" className="size-[18px]" />
            Pagamento Seguro
          </p>
          <div className="mx-auto flex w-full max-w-[1080px] px-4 py-4 md:py-6">
            <Link
              to="/"
              className="flex min-h-11 items-center gap-[11px] rounded-m pr-2 text-[20px] font-[750] tracking-[-0.025em]"
            >
              <LogoMark />
              {productName}
            </Link>
          </div>
        </header>
        <main id="main" tabIndex={-1} className="mx-auto grid w-full max-w-[480px] flex-1 content-start px-4 pb-10">
          <Outlet />
        </main>
        <footer className="px-4 py-6 text-center text-meta text-t3">
          Pagamento processado com segurança por <b className="font-semibold text-t2">{productName}</b>
          <br />
          <a
            href="/privacidade"
            className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-t1 print:hidden"
          >
            Privacidade
          </a>
        </footer>
      </div>
    </QueryClientProvider>
  )
}
