/** Swedes write a day as ISO does. */
const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: "America/Sao_Paulo" })

/** `YYYY-MM-DD` */
export function saoPauloDay(moment: Date): string {
  return format.format(moment)
}
