import { useCallback, useRef, useState } from "react"
import { pick } from "../row-selection.ts"

export interface Selection<Row> {
  /** Selected rows that are still on the screen. */
  chosen: readonly Row[]
  isChosen: (row: Row) => boolean
  toggle: (row: Row, isRange: boolean) => void
  /** Selects every selectable row, or none. */
  toggleAll: () => void
  clear: () => void
}

/** Keeps only selectable rows: a row that stops being selectable drops out. */
export function useSelection<Row extends { _id: string }>(selectable: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const chosen = selectable.filter(({ _id }) => ids.has(_id))
  const clear = useCallback(() => {
    last.current = null
    setIds(new Set())
  }, [])
  return {
    chosen,
    isChosen: ({ _id }) => ids.has(_id),
    toggle({ _id }, isRange) {
      const order = selectable.map((row) => row._id)
      setIds(pick(new Set(chosen.map((row) => row._id)), { ids: order, id: _id, from: isRange ? last.current : null }))
      last.current = _id
    },
    toggleAll() {
      setIds(new Set(chosen.length === selectable.length ? [] : selectable.map(({ _id }) => _id)))
    },
    clear,
  }
}
