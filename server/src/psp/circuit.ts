import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen, IterableBackoff } from "cockatiel"
import type { Logger } from "pino"
import { ReplyTooLarge } from "#kit/http-client"
import type { Answer } from "./bounded-http.ts"
import { PspError } from "./psp.ts"

const FAILURES_IN_A_ROW = 8
/** Pauses of the circuit breaker. The first is short, since most failures are brief; the last one repeats. */
export const usualPausesMs: readonly number[] = [1_000, 2_000, 5_000, 10_000]

type Circuit = (call: () => Promise<Answer>) => Promise<Answer>

/** One circuit breaker per kind of call: a bank's lists fail more often than its creation of codes. */
export function createCircuits(log: Logger, pausesMs: readonly number[]) {
  const circuits = new Map<string, Circuit>()
  return (kind: string, call: () => Promise<Answer>): Promise<Answer> => {
    const circuit = circuits.get(kind) ?? createCircuit(log.child({ kind }), pausesMs)
    circuits.set(kind, circuit)
    return circuit(call)
  }
}

/**
 * Circuit breaker: while the bank keeps failing, calls fail at once as not carried out, and one at a time probes
 * whether it is back. Any answer of the bank, a refusal included, is no failure.
 */
function createCircuit(log: Logger, pausesMs: readonly number[]): Circuit {
  const isFailure = (error: unknown) =>
    error instanceof PspError && error.failure !== "rejected" && !(error.cause instanceof ReplyTooLarge)
  const policy = handleWhen(isFailure).orWhenResult((answer) => (answer as Answer).status >= 500)
  const circuit = circuitBreaker(policy, {
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    halfOpenAfter: new IterableBackoff(pausesMs),
  })
  circuit.onBreak(() => log.error({ alarm: "provider_failing" }, "the provider keeps failing: not asked for a while"))
  circuit.onReset(() => log.info("the provider answers again"))

  return async (call: () => Promise<Answer>): Promise<Answer> => {
    if (circuit.state === CircuitState.HalfOpen) throw notAsked()
    return circuit.execute(call).catch((error: unknown) => {
      throw error instanceof PspError ? error : notAsked({ cause: error })
    })
  }
}

function notAsked(options?: ErrorOptions): PspError {
  return new PspError("unavailable", "the provider keeps failing and was not asked", options)
}
