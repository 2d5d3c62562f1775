import { type RefObject, useLayoutEffect, useState } from "react"
import { useWidth } from "./use-width.ts"

/** True while the element's content is wider than it: only then does the keyboard need to reach it. */
export function useScrollsSideways(ref: RefObject<HTMLElement | null>): boolean {
  const width = useWidth(ref)
  const [scrolls, setScrolls] = useState(false)
  // Without a list of dependencies: new content may be wider at the same width.
  useLayoutEffect(() => setScrolls(width > 0 && (ref.current?.scrollWidth ?? 0) > width))
  return scrolls
}
