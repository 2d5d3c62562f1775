import { queues } from "#kit/waiting-line"

/** Tests ask for much at once on purpose, and a busy machine must not decide who is refused. */
queues.deadlines = { calmMs: 60_000, pressedMs: 60_000 }
