import type { ReactNode } from 'react'
import type { Tone } from '#data/field-types.ts'
import { classes } from '#lib/classes.ts'

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-active text-ink-2',
  accent: 'bg-accent-soft text-accent-text',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
}

export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={classes(
      'inline-flex h-5 max-w-full items-center truncate rounded-sm px-1.5 text-xs font-medium',
      TONES[tone],
    )}
  >
    {children}
  </span>
)
