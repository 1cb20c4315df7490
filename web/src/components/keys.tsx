import { keysOf } from '#lib/keyboard.ts'

/** The keys of a shortcut: `mod+k`, `g c`. */
export const Keys = ({ shortcut }: { shortcut: string }) => (
  <span className="inline-flex gap-0.5" aria-hidden="true">
    {keysOf(shortcut).map(key => (
      <kbd
        key={key}
        className="min-w-4 rounded-sm border border-line bg-sunken px-1 text-center font-sans text-2xs leading-4 text-ink-3"
      >
        {key}
      </kbd>
    ))}
  </span>
)
