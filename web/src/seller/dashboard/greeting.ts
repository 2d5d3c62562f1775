const hourFormat = new Intl.DateTimeFormat("pt-BR", {
  hour: "numeric",
  hourCycle: "h23",
  timeZone: "America/Sao_Paulo",
})

/** 'Boa tarde, Ana', by the clock of São Paulo. */
export function greetingFor(name: string, now: Date): string {
  const hour = Number.parseInt(hourFormat.format(now), 10)
  const greeting = hour < 5 || hour >= 18 ? "Boa noite" : hour < 12 ? "Bom dia" : "Boa tarde"
  const firstName = name.trim().split(/\s+/)[0]
  return firstName === undefined || firstName === "" ? greeting : `${greeting}, ${firstName}`
}
