export interface StreamEvent {
  event: string
  data: string
}

/** Parses server-sent events that arrive in pieces: a message ends with an empty line, a comment is a heartbeat. */
export function createEventReader(onEvent: (event: StreamEvent) => void): (piece: string) => void {
  let rest = ""
  return (piece) => {
    const messages = (rest + piece).replaceAll("\r\n", "\n").split("\n\n")
    rest = messages.pop() ?? ""
    for (const message of messages) {
      const event = eventOf(message)
      if (event !== null) onEvent(event)
    }
  }
}

function eventOf(message: string): StreamEvent | null {
  let event = "message"
  const data: string[] = []
  for (const line of message.split("\n")) {
    const [, field, value = ""] = /^(event|data): ?(.*)$/.exec(line) ?? []
    if (field === "event") event = value
    if (field === "data") data.push(value)
  }
  return data.length === 0 ? null : { event, data: data.join("\n") }
}
