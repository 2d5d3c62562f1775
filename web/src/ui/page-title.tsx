import { type ReactNode, useEffect, useRef } from "react"

/** The platform's current name, which the server writes into the page. Unit tests have no page. */
export const productName =
  (typeof document === "undefined" ? undefined : document.documentElement.dataset["platform"]) ?? "Tilinta"
let firstHeading: HTMLHeadingElement | null = null

/** Sets the tab's title and, after a navigation, focuses the heading, so that a screen reader announces the page. */
function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title])
}

interface Props {
  title: string
  documentTitle?: string
  className?: string
  children?: ReactNode
}

export function PageTitle({ title, documentTitle = title, className = "", children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(documentTitle)

  useEffect(() => {
    firstHeading ??= heading.current
    if (heading.current !== firstHeading) heading.current?.focus({ preventScroll: true })
  }, [])

  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className={`text-h1 font-bold text-balance break-words max-md:text-[25px] ${className}`}
    >
      {children ?? title}
    </h1>
  )
}

/** Style of a link that is a fact by itself: its pseudo-element is as tall as a thumb needs, its lines stay as high as text. */
export const inlineLink =
  "relative inline-block min-w-11 underline decoration-line-2 underline-offset-4 hover:decoration-current after:absolute after:inset-x-0 after:-inset-y-3"
