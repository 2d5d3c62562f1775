import { countOf } from "#format/count.ts"

interface Props {
  count: number
  one: string
  many: string
}

/** The number of things that wait behind an entry of the menu; nothing while there are none. */
export function MenuCount({ count, one, many }: Props) {
  if (count === 0) return null
  return (
    <span className="ml-auto grid h-5 min-w-5 place-items-center rounded-full bg-amber-bg px-1.5 text-[12.5px] font-bold text-amber tabular-nums @max-[120px]:absolute @max-[120px]:top-1 @max-[120px]:right-1">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">, {countOf(count, one, many)}</span>
    </span>
  )
}
