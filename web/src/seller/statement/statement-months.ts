import { addDays } from "#format/period.ts"

/** The month before or after, `YYYY-MM`. */
export function monthBeside(month: string, step: 1 | -1): string {
  return (step === 1 ? addDays(`${month}-28`, 4) : addDays(`${month}-01`, -1)).slice(0, 7)
}

let format: Intl.DateTimeFormat | undefined

/** "novembro de 2026" */
export function monthText(month: string): string {
  format ??= new Intl.DateTimeFormat("pt-BR", { month: "long", year: "numeric", timeZone: "UTC" })
  return format.format(new Date(`${month}-15T00:00:00Z`))
}
