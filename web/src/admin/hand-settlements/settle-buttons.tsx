import { Button } from "#ui/button.tsx"
import { actionWords, type SettleAction } from "./settle-words.ts"

interface Props {
  actions: readonly SettleAction[]
  onSettle: (action: SettleAction) => void
}

export function SettleButtons({ actions, onSettle }: Props) {
  return actions.map((action) => (
    <Button
      key={action}
      look={action === "differ" || action === "change" ? "secondary" : "primary"}
      onClick={() => onSettle(action)}
    >
      {actionWords[action]}
    </Button>
  ))
}
