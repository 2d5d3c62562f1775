import type { ReactNode } from "react"
import { PageTitle } from "./page-title.tsx"

interface Props {
  title: string
  lead: ReactNode
  wide?: boolean
  children: ReactNode
}

/** A screen without the menu, of one form. */
export function FormPage({ title, lead, wide = false, children }: Props) {
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

/** Which step of a form is shown; the first is 1. */
export function FormSteps({ step, titles }: { step: number; titles: readonly string[] }) {
  return (
    <div className="grid gap-2.5">
      <p>
        Passo {step} de {titles.length}: {titles[step - 1]}
      </p>
      <div aria-hidden="true" className="flex gap-1.5">
        {titles.map((title, at) => (
          <span
            key={title}
            className={`h-1 flex-1 rounded-full transition-colors ${at < step ? "bg-mint" : "bg-s3"}`}
          />
        ))}
      </div>
    </div>
  )
}
