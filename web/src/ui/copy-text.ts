/** True once the text is on the clipboard. Without the Clipboard API (plain http) it falls back to `execCommand`. */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyFromField(text, near)
  }
}

/** The field is inserted next to the button, because nothing outside an open dialog can be selected. */
function copyFromField(text: string, near: HTMLElement): boolean {
  const field = document.createElement("textarea")
  field.value = text
  field.readOnly = true
  field.className = "fixed top-0 opacity-0"
  ;(near.parentElement ?? document.body).append(field)
  field.select()
  try {
    return document.execCommand("copy")
  } catch {
    return false
  } finally {
    field.remove()
    near.focus()
  }
}
