import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Icon } from "#ui/icon.tsx"
import { todaysQuery } from "./reminders-data.ts"

const toReminders = { to: "/receivables/$form", params: { form: "reminders" } } as const

/** Stands after the tabs. */
export function RemindersTab() {
  return (
    <Link
      {...toReminders}
      className="flex min-h-11 items-center border-b-2 border-transparent px-0.5 font-[550] whitespace-nowrap text-t2 outline-offset-[-2px] transition-colors hover:text-t1"
    >
      Lembretes
    </Link>
  )
}

/** Nothing while there is nobody to remind. */
export function TodayLine() {
  const waiting = useQuery(todaysQuery).data?.filter(({ reminder }) => reminder === null).length ?? 0
  if (waiting === 0) return null
  return (
    <Link
      {...toReminders}
      className="mx-1 mb-2 flex min-h-11 items-center gap-2.5 rounded-m bg-amber-bg px-3.5 text-label font-semibold text-amber underline-offset-4 hover:underline md:mx-3.5"
    >
      <Icon name="bell" className="size-[18px]" />
      Para lembrar hoje: {waiting === 1 ? "1 cobrança" : `${waiting} cobranças`}
    </Link>
  )
}
