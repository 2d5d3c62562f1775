/** The text of a form's field; empty when there is none. */
export function typedText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}
