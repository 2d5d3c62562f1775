import { bounds } from "#kit/pressure"
import { queues } from "#kit/waiting-line"

/** Tests ask for much at once on purpose, and a busy machine must not decide who is refused. */
queues.deadlines = { calmMs: 60_000, pressedMs: 60_000 }
for (const bound of Object.values(bounds)) {
  Object.assign(bound, { busyFrom: Number.POSITIVE_INFINITY, extremeFrom: Number.POSITIVE_INFINITY })
}
