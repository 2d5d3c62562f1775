const paths = {
  lock: "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3",
  clock: "M12 3.5a8.5 8.5 0 1 0 .1 0M12 7.5V12l3 2",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "m5 12.5 4.5 4.5L19 7.5",
  alert: "M12 4 3 20h18zM12 10v4M12 17h.01",
}
export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
