import type { ApprovalView } from "@tilinta/contract/api/approvals-endpoints"
import { formatReais } from "#format/money-text.ts"
import { Icon } from "#ui/icon.tsx"
import { changeLines } from "./approval-words.ts"

/** Everything that would change: the second person decides about nothing unseen. */
export function ChangeList({ approval }: { approval: ApprovalView }) {
  return (
    <dl className="grid gap-1.5 rounded-m border border-line bg-bg px-4 py-2.5 text-label wrap-anywhere">
      {changeLines(approval, formatReais).map(({ label, before, after }) => (
        <div key={label} className="flex flex-wrap gap-x-2">
          <dt className="text-t2">{label}:</dt>
          <dd className="min-w-0 text-t1">
            {before !== null && (
              <>
                <span className="sr-only">de </span>
                <s className="text-t3 no-underline">{before}</s>
                <Icon name="arrowRight" className="mx-1 inline size-3.5 text-t3" />
                <span className="sr-only"> para </span>
              </>
            )}
            <b className="font-semibold">{after}</b>
          </dd>
        </div>
      ))}
    </dl>
  )
}
