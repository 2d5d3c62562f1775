export function LogoMark({ className = "size-[30px]" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={`flex-none ${className}`}>
      <rect width="32" height="32" rx="9" className="fill-mint" />
      <path d="M8 8.5h16v3.700h-5.95V24h-4.100V12.200H8z" className="fill-mint-ink" />
    </svg>
  )
}
