import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Icon } from "./icon.tsx"
import { Skeleton } from "./skeleton.tsx"
import { StatValue } from "./stat-value.tsx"

interface Props {
  title: string
  value: string | undefined
  note: ReactNode
  link: Pick<LinkProps, "to" | "search">
  linkText: string
  waiting: boolean
  /** Two of three cards share a line on a phone, the last one gets its own. */
  wide?: boolean
}

/** One number, its meaning, and a link to its details. */
export function StatCard({ title, value, note, link, linkText, waiting, wide = false }: Props) {
  return (
    <article
      className={`flex min-w-0 flex-col rounded-xl border border-line bg-s1 p-4 pb-2 shadow-card md:px-[18px] md:pt-5 md:pb-3 ${wide ? "max-md:col-span-full" : ""}`}
    >
      <h2 className="text-label font-semibold tracking-[-0.01em] text-t2">{title}</h2>
      {value === undefined && waiting ? (
        <Skeleton className="mt-3 mb-1 h-7 w-24" />
      ) : (
        <StatValue>{value ?? "–"}</StatValue>
      )}
      <p className="mt-0.5 min-h-5 text-[13.5px] text-t3">{note}</p>
      <Link
        {...link}
        className="mt-auto inline-flex min-h-11 items-center gap-1 self-start text-[13.5px] font-semibold text-t2 hover:text-mint"
      >
        {linkText}
        <Icon name="chevronRight" className="size-4 stroke-2" />
      </Link>
    </article>
  )
}
