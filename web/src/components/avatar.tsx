import { classes } from '#lib/classes.ts'

const SIZES = { sm: 'size-5 text-[9px]', md: 'size-6 text-2xs', lg: 'size-10 text-sm' }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The first character as people see it: an emoji has several code points. */
const first = (word: string): string => graphemes.segment(word)[Symbol.iterator]().next().value?.segment ?? ''

const initials = (name: string): string => {
  const words = name.split(/[\s@.]+/).filter(Boolean)
  return `${first(words[0] ?? '?')}${words.length > 1 ? first(words.at(-1) ?? '') : ''}`.toUpperCase()
}

/** Hues at equal steps, with the same lightness, so that none stands out. */
const hueOf = (text: string): number => {
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997
  return (sum % 12) * 30
}

interface AvatarProps {
  name: string
  size?: keyof typeof SIZES
  /** companies and products are square, people round */
  isSquare?: boolean
}

/** Initials on a colour of their own. Pictures of other hosts are not loaded: that would reveal to them who is viewed. */
export function Avatar({ name, size = 'sm', isSquare }: AvatarProps) {
  const hue = hueOf(name)
  return (
    <span
      aria-hidden="true"
      className={classes(
        'inline-flex shrink-0 items-center justify-center overflow-hidden font-semibold whitespace-nowrap select-none',
        isSquare ? 'rounded-sm' : 'rounded-full',
        SIZES[size],
      )}
      style={{
        background: `light-dark(oklch(0.92 0.045 ${hue}), oklch(0.34 0.055 ${hue}))`,
        color: `light-dark(oklch(0.4 0.1 ${hue}), oklch(0.88 0.06 ${hue}))`,
      }}
    >
      {initials(name)}
    </span>
  )
}
