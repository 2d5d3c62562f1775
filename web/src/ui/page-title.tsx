import { type ReactNode, useEffect, useRef } from "react"

/** The platform's current name, which the server writes into the page. */
export const productName = document.documentElement.dataset["platform"] ?? "Tilinta"
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
