import { Icon } from "#ui/icon.tsx"
import { menuItemClass } from "#ui/menu.tsx"
import { paymentSound, playPaymentSound } from "./payment-sound.ts"

/** Switching it on plays it, which is also the gesture that browsers require. */
export function SoundMenuItem() {
  const isOn = paymentSound.use()

  function toggle(): void {
    paymentSound.toggle()
    if (paymentSound.isOn()) playPaymentSound()
  }

  return (
    <button type="button" role="menuitemcheckbox" aria-checked={isOn} onClick={toggle} className={menuItemClass}>
      <Icon name="sound" />
      <span className="flex-1">Som ao receber</span>
      {isOn && <Icon name="check" className="size-4 stroke-[2.4] text-mint" />}
    </button>
  )
}
