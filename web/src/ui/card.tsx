import type { ComponentPropsWithRef, ReactNode } from "react"

export function Card({ className = "p-6", ...rest }: ComponentPropsWithRef<"section">) {
  return (
    <section
      className={`rounded-xl border border-line bg-s1 shadow-card print:border-line-2 print:shadow-none ${className}`}
      {...rest}
    />
  )
}

export function CardHeader({ title, id, children }: { title: string; id?: string; children?: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4">
      <h2 id={id} className="text-section font-[650]">
        {title}
      </h2>
      {children}
    </div>
  )
}
