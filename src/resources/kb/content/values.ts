/** Reads unchecked JSON. */
import type { Inline, Mark, MarkType } from './node.ts'
import { linkTarget } from './urls.ts'

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

export const intIn = (value: unknown, min: number, max: number, otherwise: number): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number)
    ? Math.min(Math.max(Math.trunc(number), min), max)
    : otherwise
}

/** `bulletList`, `bullet_list` and `bullet-list` are the same thing. */
export const nameOf = (node: Json): string =>
  textIn(node.type)
    .replaceAll(/[_\- ]/g, '')
    .toLowerCase()

export const linkMark = (href: unknown, title?: unknown): Mark | undefined => {
  const target = linkTarget(href)
  const words = textIn(title).slice(0, 1000)
  return target === undefined
    ? undefined
    : { type: 'link', attrs: { href: target, ...(words === '' ? {} : { title: words }) } }
}

const MARKS: Record<string, MarkType> = {
  ...{
    bold: 'bold',
    strong: 'bold',
    italic: 'italic',
    em: 'italic',
    strike: 'strike',
    s: 'strike',
    code: 'code',
  },
  ...{
    strikethrough: 'strike',
    underline: 'underline',
    u: 'underline',
    highlight: 'highlight',
    mark: 'highlight',
  },
}

export const markNamed = (name: string): MarkType | undefined =>
  Object.hasOwn(MARKS, name) ? MARKS[name] : undefined

/** Adds a mark, unless there is one of its type. */
export const withMark = (marks: Mark[], mark: Mark | undefined): Mark[] =>
  mark === undefined || marks.some(({ type }) => type === mark.type) ? marks : [...marks, mark]

/** A text with its line ends as hard breaks. */
export function linesAsInlines(words: string, marks: Mark[] = []): Inline[] {
  return words
    .split(/\r\n|[\n\r]/)
    .flatMap((line, index): Inline[] => [
      ...(index === 0 ? [] : [{ type: 'hardBreak' } as const]),
      ...(line === '' ? [] : [{ type: 'text', text: line, ...(marks.length > 0 ? { marks } : {}) } as const]),
    ])
}
