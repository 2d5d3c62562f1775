import { useQuery } from "@tanstack/react-query"
import { Link, useRouterState } from "@tanstack/react-router"
import { Icon } from "#ui/icon.tsx"
import { Menu, menuItemClass } from "#ui/menu.tsx"
import { Tabs } from "#ui/tabs.tsx"
import { countOfTab, pendingCountsQuery, type Section, type SectionTab, sections } from "./sections.ts"

function SectionTabs({ section: { name, tabs, foldsEmpty = false } }: { section: Section }) {
  const { data: counts, isError } = useQuery(pendingCountsQuery)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isFolded = (tab: SectionTab) => foldsEmpty && !isError && countOfTab(tab, counts) === 0 && tab.to !== path
  const folded = tabs.filter(isFolded)
  const shown = tabs.filter((tab) => !isFolded(tab))
  return (
    <Tabs label={name} tabs={shown.map((tab) => ({ to: tab.to, label: tab.label, count: countOfTab(tab, counts) }))}>
      {folded.length > 0 && <EmptyQueues tabs={folded} />}
    </Tabs>
  )
}

/** Queues where nothing waits: their history is still to be read. */
function EmptyQueues({ tabs }: { tabs: readonly SectionTab[] }) {
  return (
    <Menu
      label="Filas vazias"
      className="flex min-h-11 items-center gap-1.5 px-0.5 font-[550] whitespace-nowrap text-t3 outline-offset-[-2px] hover:text-t1"
      button={
        <>
          Filas vazias
          <Icon name="chevronDown" className="size-4" />
        </>
      }
    >
      {tabs.map(({ to, name, icon }) => (
        <Link key={to} to={to} role="menuitem" className={menuItemClass}>
          <Icon name={icon} />
          {name}
        </Link>
      ))}
    </Menu>
  )
}

const screenIn = (section: Section) => ({ section: section.name, tabs: <SectionTabs section={section} /> })

export const inTransactions = screenIn(sections.transactions)
export const inPending = screenIn(sections.pending)
export const inBooks = screenIn(sections.books)
export const inSystem = screenIn(sections.system)
