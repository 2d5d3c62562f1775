const head = 5

/**
 * Rewrites a client's messages so that its named statements work in any session: each is parsed again, without a name,
 * before it is bound. The driver does not mind the answers to what it did not ask.
 */
export function keepStatements(): (message: Buffer) => Buffer {
  const rests = new Map<string, Buffer>()

  function parse(message: Buffer): Buffer {
    const [name, rest] = cut(message.subarray(head))
    if (name !== "") rests.set(name, rest)
    return messageOf("P", Buffer.from([0]), rest)
  }

  function bind(message: Buffer): Buffer {
    const [portal, afterPortal] = cut(message.subarray(head))
    const [name, rest] = cut(afterPortal)
    const parsed = rests.get(name)
    if (parsed === undefined) return message
    const bound = messageOf("B", Buffer.from(`${portal}\0`), Buffer.from([0]), rest)
    return Buffer.concat([messageOf("P", Buffer.from([0]), parsed), bound])
  }

  return (message) => {
    const type = message.toString("latin1", 0, 1)
    if (type === "P") return parse(message)
    return type === "B" ? bind(message) : message
  }
}

/** Text up to the first zero, and what is after it. */
function cut(bytes: Buffer): [string, Buffer] {
  const end = bytes.indexOf(0)
  return [bytes.toString("utf8", 0, end), bytes.subarray(end + 1)]
}

function messageOf(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const message = Buffer.alloc(head)
  message.write(type)
  message.writeInt32BE(body.length + head - 1, 1)
  return Buffer.concat([message, body])
}
