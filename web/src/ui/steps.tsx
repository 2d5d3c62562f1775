import { formatDateTime } from "#format/dates.ts"

export type StepState = "done" | "current" | "ahead" | "failed"

export interface Step {
  title: string
  state: StepState
  /** The moment of the step, if known. */
  at: string | null
  note?: string
}

/** The progress of something that passes through several stages, done and to come. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="grid">
      {steps.map((step) => (
        <StepItem key={step.title} step={step} />
      ))}
    </ol>
  )
}

const marks = {
  done: "rounded-full bg-mint",
  current: "rounded-full border-[3px] border-amber",
  ahead: "rounded-full border-2 border-ctl",
  failed: "rotate-45 rounded-[2px] bg-coral",
} as const satisfies Record<StepState, string>

const spoken = {
  done: "feito",
  current: "em andamento",
  ahead: "ainda por vir",
  failed: "encerrado",
} as const satisfies Record<StepState, string>

function StepItem({ step }: { step: Step }) {
  const { title, state, at, note } = step
  return (
    <li
      aria-current={state === "current" ? "step" : undefined}
      className="group relative grid grid-cols-[12px_1fr] gap-x-3.5 pb-5 last:pb-0"
    >
      <span aria-hidden="true" className="absolute top-5 bottom-[-2px] left-[5px] w-0.5 bg-line-2 group-last:hidden" />
      <span aria-hidden="true" className={`mt-[5px] size-3 ${marks[state]}`} />
      <div className="min-w-0">
        <p className={`flex flex-wrap justify-between gap-x-4 ${state === "ahead" ? "text-t3" : "font-semibold"}`}>
          <span>
            {title}
            <span className="sr-only"> ({spoken[state]})</span>
          </span>
          {at !== null && <span className="text-meta font-normal text-t3 tabular-nums">{formatDateTime(at)}</span>}
        </p>
        {note !== undefined && <p className="mt-1 text-label break-words whitespace-pre-line text-t2">{note}</p>}
      </div>
    </li>
  )
}

export interface Moment {
  label: string
  at: string
  tone: "done" | "good" | "bad"
}

const dots = { done: "bg-t3", good: "bg-mint", bad: "bg-coral" } as const satisfies Record<Moment["tone"], string>

/** Events in chronological order. */
export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol aria-label="Linha do tempo" className="grid">
      {moments.map(({ label, at, tone }) => (
        <li key={`${at} ${label}`} className="group relative flex items-baseline gap-3 pb-3 last:pb-0">
          <i aria-hidden="true" className={`size-2.5 flex-none rounded-full ${dots[tone]}`} />
          <i aria-hidden="true" className="absolute top-5 bottom-0 left-[4.5px] w-px bg-line-2 group-last:hidden" />
          <span className="min-w-0 flex-1 font-medium">{label}</span>
          <time dateTime={at} className="text-label whitespace-nowrap text-t3 tabular-nums">
            {formatDateTime(at)}
          </time>
        </li>
      ))}
    </ol>
  )
}
