import { Tabs } from "#ui/tabs.tsx"

/** Two parts of one screen; `plans` is the id of no subscription: one address less for everybody's first load. */
export function SubscriptionTabs({ open }: { open: "subscriptions" | "plans" }) {
  return (
    <Tabs
      label="Assinaturas"
      tabs={[
        { label: "Assinaturas", to: "/subscriptions", search: {}, isOpen: open === "subscriptions" },
        { label: "Planos", to: "/subscriptions/plans" as never, isOpen: open === "plans" },
      ]}
    />
  )
}
