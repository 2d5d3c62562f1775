import { Card, CardHeader } from "#ui/card.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { shownRows } from "./dashboard-data.ts"

/** As tall as the content that replaces it, so that nothing shifts. */
export function RecentSkeleton({ title, label }: { title: string; label: string }) {
  return (
    <Card className="p-2 pt-[18px]">
      <div className="min-h-10 px-4 pb-2 max-md:px-3">
        <CardHeader title={title} />
      </div>
      <RowsSkeleton rows={shownRows} label={label} />
    </Card>
  )
}
