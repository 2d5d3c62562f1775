import type { ReactNode } from "react"
import { PageTitle } from "#ui/page-title.tsx"

interface Props {
  title: string
  lead: ReactNode
  wide?: boolean
  children: ReactNode
}

export function AuthCard({ title, lead, wide = false, children }: Props) {
  return (
    <section
      className={`w-full rounded-xl border border-line bg-s1 p-5 shadow-card sm:p-8 ${wide ? "max-w-[560px] lg:w-[520px]" : "max-w-[432px] lg:w-[432px]"}`}
    >
      <PageTitle title={title} />
      <div className="mt-1.5 mb-6 text-t2">{lead}</div>
      {children}
    </section>
  )
}

export const textLinkClass = "font-semibold text-mint underline-offset-4 hover:underline"
