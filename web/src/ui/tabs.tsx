import { Link, type LinkProps } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef } from "react"
import { CountBadge } from "./badge.tsx"
import { PageTitle } from "./page-title.tsx"

export interface ScreenHeadProps {
  title: string
  /** The entry of the menu that the screen is a tab of: its name stands above all of its tabs. */
  section?: string | undefined
  tabs?: ReactNode
  /** On a phone the rows matter more. */
  intro: string
  /** Content next to the title: the one primary action, or 'Exportar'. */
  actions?: ReactNode
}

export function ScreenHead({ title, section = title, tabs, intro, actions }: ScreenHeadProps) {
  return (
    <>
      <div className="mb-1 flex min-h-11 flex-wrap items-center justify-between gap-x-5 gap-y-2">
        <div>
          <PageTitle title={section} documentTitle={title}>
            {section}
            {section !== title && <span className="sr-only">: {title}</span>}
          </PageTitle>
          <p className="mt-1 text-t2 max-md:hidden">{intro}</p>
        </div>
        {actions !== undefined && <div className="flex flex-none flex-wrap gap-2 md:gap-3">{actions}</div>}
      </div>
      {tabs}
    </>
  )
}

interface Tab {
  label: string
  to: NonNullable<LinkProps["to"]>
  /** Set when tabs share a path: `{ tab: "seguranca" }`, and `{ tab: undefined }` of the first. */
  search?: LinkProps["search"]
  /** Written under the label; all tabs of a strip have one, or none has. */
  note?: string
  /** How many things wait there for the person who looks. */
  count?: number | undefined
  /** Set when the address holds more than the tab, such as a page or a search. */
  isOpen?: boolean
}

interface Props {
  /** The name of the screen whose parts these are. */
  label: string
  tabs: readonly Tab[]
  /** Stands after the last tab. */
  children?: ReactNode
}

/** The parts of a screen as plain links: each has an address, so the browser's back and a new window work. */
export function Tabs({ label, tabs, children }: Props) {
  const strip = useRef<HTMLElement>(null)
  // On a phone the strip scrolls sideways, and the open part must be seen.
  // Newer browsers answer with a promise, which React would take for the effect's end.
  useEffect(() => void strip.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [])
  return (
    <nav
      ref={strip}
      aria-label={label}
      className="flex gap-5 overflow-x-auto overflow-y-hidden border-b border-line [scrollbar-width:none] max-md:-mx-4 max-md:-mt-3 max-md:px-4 md:gap-7"
    >
      <ul className="flex gap-5 md:gap-7">
        {tabs.map(({ label: name, to, search, note, count = 0, isOpen = false }) => (
          <li key={name}>
            <Link
              to={to}
              search={search as never}
              aria-current={isOpen ? "page" : undefined}
              activeOptions={{ exact: true, includeSearch: search !== undefined }}
              className="flex min-h-11 items-center gap-2 border-b-2 border-transparent px-0.5 font-[550] whitespace-nowrap text-t2 outline-offset-[-2px] transition-colors hover:text-t1 aria-[current]:border-mint aria-[current]:font-[650] aria-[current]:text-t1"
            >
              {note === undefined ? (
                name
              ) : (
                <span className="grid pt-1 pb-2 leading-[1.35]">
                  {name}
                  <span className="min-h-[1.35em] text-[12.5px] font-normal text-t3 tabular-nums">{note}</span>
                </span>
              )}
              <CountBadge count={count} />
            </Link>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  )
}
