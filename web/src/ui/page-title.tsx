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

/** Style of a link that is a fact by itself: its pseudo-element is as tall as a thumb needs, its lines stay as high as text. */
export const inlineLink =
  "relative inline-block min-w-11 underline decoration-line-2 underline-offset-4 hover:decoration-current after:absolute after:inset-x-0 after:-inset-y-3"
