import { Icon, type IconName } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"

type Tone = "good" | "bad" | "waiting" | "returned"

const marks = {
  good: "bg-mint text-mint-ink shadow-[0_0_0_12px_oklch(0.83_0.135_172/0.11)]",
  bad: "border border-coral-line bg-coral-bg text-coral",
  waiting: "bg-s3 text-amber",
  returned: "bg-s3 text-t1",
} as const satisfies Record<Tone, string>

const icons = { good: "check", bad: "alert", waiting: "clock", returned: "undo" } as const satisfies Record<
  Tone,
  IconName
>

export function OutcomeHead({ tone, title, text }: { tone: Tone; title: string; text: string }) {
  return (
    <div className="grid justify-items-center pt-4 pb-6 text-center print:justify-items-start print:text-left">
      <span className={`mb-7 grid size-20 place-items-center rounded-[28px] print:hidden ${marks[tone]}`}>
        <Icon name={icons[tone]} className="size-9 stroke-[2.2]" />
      </span>
      <PageTitle title={title} className="text-[26px]" />
      <p className="mt-1.5 text-balance text-t2">{text}</p>
    </div>
  )
}
