import type { Booking } from "./book-in-bench.ts"
import { from, payer } from "./payers.ts"
import { openConnection, type RawConnection, rawRequest } from "./raw-http.ts"

interface StaleFigures {
  asked: number
  /** Answers that say unpaid although the commit, or a node's answer of paid, preceded their request. */
  stale: number
}

/**
 * Books one charge after another. Meanwhile every node is polled for it without pause, so that it caches whatever it
 * caches; once the commit has returned, both are asked at once.
 */
export async function countStale(
  booking: Booking,
  ports: readonly number[],
  { first, last }: { first: number; last: number },
): Promise<StaleFigures> {
  const figures: StaleFigures = { asked: 0, stale: 0 }
  const [watching, checking] = await Promise.all([openAll(ports), openAll(ports)])
  for (let n = first; n <= last; n += 1) {
    const shared = { isPaid: false, isOver: false }
    const ask = async (connection: RawConnection) => {
      const mustBePaid = shared.isPaid
      figures.asked += 1
      // Many addresses, because one address may not poll a payment so often.
      const isPaid = await saysPaid(connection, rawRequest("GET", payer(n).path, { headers: from(figures.asked) }))
      if (isPaid) shared.isPaid = true
      else if (mustBePaid) figures.stale += 1
      return isPaid
    }
    const watched = watching.map(async (connection) => {
      while (!shared.isOver) await ask(connection)
    })
    await booking.book([n])
    shared.isPaid = true
    await Promise.all(checking.map(ask))
    shared.isOver = true
    await Promise.all(watched)
  }
  for (const connection of [...watching, ...checking]) connection.close()
  return figures
}

function openAll(ports: readonly number[]): Promise<RawConnection[]> {
  return Promise.all(ports.map((port) => openConnection(port)))
}

function saysPaid(connection: RawConnection, request: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    connection.send(request, (answer) => {
      const text = answer.text()
      if (answer.status === 200) resolve(text.includes('"pago"'))
      else reject(new Error(`payment-status answered ${answer.status}: ${text}`))
    })
  })
}
