import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { formatReais, type ReaisParts, splitReais } from "#format/money-text.ts"
import { createStoredSwitch } from "./browser-hooks.ts"
import { Icon } from "./icon.tsx"
import { Skeleton } from "./lazy-part.tsx"

interface Props {
  parts: ReaisParts
  /** A debt. */
  isNegative?: boolean
  className?: string
}

/** The one large number of a view: symbol and cents are drawn smaller. It shrinks with its space and never breaks. */
export function BigAmount({ parts: { symbol, whole, cents }, isNegative = false, className = "" }: Props) {
  const tone = isNegative ? "text-coral" : "text-t2"
  return (
    // A container has no width of its own: next to a badge it would vanish.
    <div className={`@container min-w-44 grow ${className}`}>
      <p
        className={`leading-[1.08] font-bold tracking-[-0.04em] whitespace-nowrap tabular-nums ${sizeOf(whole)} ${isNegative ? "text-coral" : ""}`}
      >
        <span className={`mr-[0.18em] align-[0.62em] text-[0.455em] font-semibold tracking-[-0.01em] ${tone}`}>
          {symbol}
        </span>
        {whole}
        {cents !== "" && <small className={`text-[0.59em] font-[650] tracking-[-0.02em] ${tone}`}>,{cents}</small>}
      </p>
    </div>
  )
}

function sizeOf(whole: string): string {
  if (whole.length <= 7) return "text-[min(44px,17cqi)]"
  if (whole.length <= 9) return "text-[min(44px,14cqi)]"
  if (whole.length <= 11) return "text-[min(40px,12cqi)]"
  return "text-[min(36px,10cqi)]"
}

/** For sellers who share their screen: hidden amounts are not even in the page. */
export const hiddenAmounts = createStoredSwitch("amounts-hidden")

const dots = "•••••"
export const hiddenReais = `R$\u00a0${dots}`

export function shownReais(reais: number): string {
  return hiddenAmounts.isOn() ? hiddenReais : formatReais(reais)
}

/** Rerenders when the switch changes. */
export function useReais(): (reais: number) => string {
  hiddenAmounts.use()
  return shownReais
}

export function useReaisParts(reais: number): ReaisParts {
  return hiddenAmounts.use() ? { symbol: "R$", whole: dots, cents: "" } : splitReais(reais)
}

/** An amount that respects the switch for hiding amounts. */
export function Reais({ children }: { children: number }): string {
  return useReais()(children)
}

interface StatValueProps {
  children: string
  /** A debt. */
  isNegative?: boolean
}

/** The number of a card. It shrinks with its space, so that it never breaks. */
export function StatValue({ children, isNegative = false }: StatValueProps) {
  return (
    <div className="@container mt-2">
      <p
        className={`leading-[30px] font-bold tracking-[-0.03em] whitespace-nowrap tabular-nums ${sizeOfStatValue(children)} ${isNegative ? "text-coral" : ""}`}
      >
        {children}
      </p>
    </div>
  )
}

function sizeOfStatValue(text: string): string {
  if (text.length <= 9) return "text-[25px]"
  if (text.length <= 12) return "text-[min(25px,15cqi)]"
  if (text.length <= 14) return "text-[min(25px,13cqi)]"
  return text.length <= 16 ? "text-[min(25px,11.5cqi)]" : "text-[min(25px,10cqi)]"
}

interface StatCardProps {
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
export function StatCard({ title, value, note, link, linkText, waiting, wide = false }: StatCardProps) {
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
