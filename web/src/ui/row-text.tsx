import type { ReactNode } from "react"

/** The two lines inside a row's opening link, which is a `row-link`. In a card the note shares its line with the date. */
export function RowText({ title, note }: { title: ReactNode; note: ReactNode }) {
  return (
    <>
      <b className="row-title">{title}</b>
      <span className="row-note">{note}</span>
    </>
  )
}
