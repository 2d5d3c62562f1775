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

/** Style of a link or button inside a sentence. */
export const sentenceLinkClass = "font-semibold text-mint underline-offset-4 hover:underline"

/** Style of a link that stands under a form, as tall as a thumb needs. */
export const textLinkClass = `inline-flex min-h-11 min-w-11 items-center ${sentenceLinkClass}`
