/**
 * The tree between the readers and the writers: ProseMirror nodes with Tiptap's names. Every reader returns only
 * these, so that writers need no checks.
 */
import { at } from '../../../lib/values.ts'

export type MarkType = 'bold' | 'italic' | 'strike' | 'code' | 'underline' | 'highlight' | 'link'

export interface Mark {
  type: MarkType
  attrs?: { href: string; title?: string }
}

export interface Text {
  type: 'text'
  text: string
  marks?: Mark[]
}

export interface HardBreak {
  type: 'hardBreak'
}

export type Inline = Text | HardBreak

export interface Heading {
  type: 'heading'
  attrs: { level: number }
  content?: Inline[]
}

export interface Paragraph {
  type: 'paragraph'
  content?: Inline[]
}

export interface CodeBlock {
  type: 'codeBlock'
  attrs: { language: string | null }
  content?: Text[]
}

export interface ListItem {
  type: 'listItem'
  content: Block[]
}

export interface TaskItem {
  type: 'taskItem'
  attrs: { checked: boolean }
  content: Block[]
}

export type List =
  | { type: 'bulletList'; content: ListItem[] }
  | { type: 'orderedList'; attrs: { start: number }; content: ListItem[] }
  | { type: 'taskList'; content: TaskItem[] }

export interface Container {
  type: 'blockquote' | 'callout'
  /** of a callout: note, tip, warning, … */
  attrs?: { type: string }
  content: Block[]
}

const ALIGNS = ['left', 'center', 'right'] as const
export type Align = (typeof ALIGNS)[number]

export interface Cell {
  type: 'tableCell' | 'tableHeader'
  attrs?: { align: Align }
  content: Block[]
}

/** The attributes of a cell with this alignment, if it is one. */
export function aligned(value: unknown): Pick<Cell, 'attrs'> {
  const align = ALIGNS.find(name => name === value)
  return align ? { attrs: { align } } : {}
}

export interface Table {
  type: 'table'
  content: { type: 'tableRow'; content: Cell[] }[]
}

export interface Image {
  type: 'image'
  attrs: { src: string; alt: string | null; title: string | null }
}

export interface Rule {
  type: 'horizontalRule'
}

export type Block = Heading | Paragraph | CodeBlock | List | Container | Table | Image | Rule

export const text = (words: string, marks?: Mark[]): Text =>
  marks === undefined || marks.length === 0
    ? { type: 'text', text: words }
    : { type: 'text', text: words, marks }

export const paragraph = (content: Inline[]): Paragraph =>
  content.length === 0 ? { type: 'paragraph' } : { type: 'paragraph', content }

export const codeBlock = (code: string, language: string | null): CodeBlock => ({
  type: 'codeBlock',
  attrs: { language },
  ...(code === '' ? {} : { content: [text(code)] }),
})

export const image = (src: string, alt?: string | null, title?: string | null): Image => ({
  type: 'image',
  attrs: { src, alt: alt || null, title: title || null },
})

export const callout = (type: unknown, content: Block[]): Container => ({
  type: 'callout',
  attrs: { type: calloutType(type) },
  content: filled(content),
})

const calloutType = (type: unknown): string =>
  typeof type === 'string' && /^[a-z][a-z0-9_-]{0,31}$/i.test(type) ? type.toLowerCase() : 'note'

/** Editors need at least one paragraph in a container. */
export const filled = (content: Block[]): Block[] => (content.length === 0 ? [paragraph([])] : content)

/** An item begins with a paragraph, which may be empty. */
export const itemContent = (content: Block[]): Block[] =>
  content[0]?.type === 'paragraph' ? content : [paragraph([]), ...content]

export const isEmpty = (block: Block): boolean => block.type === 'paragraph' && !block.content?.length

/** The text without its marks. */
export const plainText = (content: readonly Inline[] = []): string =>
  content.map(inline => (inline.type === 'text' ? inline.text : ' ')).join('')

/** The nesting of marks: a link outermost, code innermost. */
export const MARK_ORDER: readonly MarkType[] = [
  ...(['link', 'highlight', 'underline', 'bold', 'italic', 'strike', 'code'] as const),
]

const NONE: readonly Mark[] = []

const sameMarks = (a = NONE, b = NONE): boolean =>
  a === b || (a.length === b.length && a.every((mark, index) => sameMark(mark, at(b, index))))

export const sameMark = (a: Mark, b: Mark): boolean =>
  a.type === b.type && a.attrs?.href === b.attrs?.href && a.attrs?.title === b.attrs?.title

const LINE_ENDS = /[\n\r\v\f\u0085\u2028\u2029\ufeff]+/g

/** Joins neighbours with the same marks, and trims white space and breaks at both ends. */
export function tidied(content: readonly Inline[]): Inline[] {
  const joined: Inline[] = []
  let words: string[] = []
  let marks: Mark[] | undefined
  const end = () => {
    const all = words.join('')
    if (all !== '') joined.push(text(all, marks))
    words = []
  }
  for (const inline of content) {
    if (inline.type === 'hardBreak') {
      end()
      joined.push(inline)
      continue
    }
    if (words.length > 0 && !sameMarks(marks, inline.marks)) end()
    if (inline.text !== '') words.push(inline.text.replace(LINE_ENDS, ' '))
    marks = inline.marks
  }
  end()
  return trimmed(joined)
}

function trimmed(content: Inline[]): Inline[] {
  let from = 0
  let to = content.length
  const blank = (index: number) => {
    const inline = at(content, index)
    return inline.type === 'hardBreak' || inline.text.trim() === ''
  }
  while (from < to && blank(from)) from++
  while (to > from && blank(to - 1)) to--
  const part = content.slice(from, to)
  const first = part[0]
  if (first?.type === 'text') part[0] = text(first.text.trimStart(), first.marks)
  const last = part.at(-1)
  if (last?.type === 'text') part[part.length - 1] = text(last.text.trimEnd(), last.marks)
  return part
}
