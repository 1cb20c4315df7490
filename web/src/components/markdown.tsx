/**
 * A text of a person or of a program, with its Markdown: headings, lists, emphasis, code and links. It becomes elements,
 * never HTML, and only addresses of the web and of mail become links, so that no text can run script.
 */
import type { ReactNode } from 'react'

const BULLET = /^\s*[-*•]\s+/
const NUMBER = /^\s*\d+[.)]\s+/
const HEADING = /^#{1,6}\s+/

type Kind = 'text' | 'bullets' | 'numbers' | 'heading'

const kindOf = (line: string): Kind =>
  BULLET.test(line) ? 'bullets' : NUMBER.test(line) ? 'numbers' : HEADING.test(line) ? 'heading' : 'text'

export interface Block {
  kind: Kind
  lines: string[]
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let isNew = true
  for (const line of text.split('\n')) {
    const kind = kindOf(line)
    const last = blocks.at(-1)
    if (line.trim() === '') isNew = true
    else if (last && !isNew && last.kind === kind && kind !== 'heading') last.lines.push(line)
    else {
      // an empty line between items does not end their list
      if (last && last.kind === kind && kind !== 'text' && kind !== 'heading') last.lines.push(line)
      else blocks.push({ kind, lines: [line] })
      isNew = false
    }
  }
  return blocks
}

export const Markdown = ({ text }: { text: string }) =>
  blocksOf(text).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one text never move
    <BlockView key={index} block={block} />
  ))

function BlockView({ block: { kind, lines } }: { block: Block }): ReactNode {
  if (kind === 'text' || kind === 'heading') {
    const text = lines.join('\n').replace(HEADING, '')
    return (
      <p
        className={
          kind === 'heading' ? 'font-semibold not-first:mt-2' : 'whitespace-pre-line not-first:mt-1.5'
        }
      >
        <Inline text={text} />
      </p>
    )
  }
  const List = kind === 'bullets' ? 'ul' : 'ol'
  return (
    <List
      className={`${kind === 'bullets' ? 'list-disc' : 'list-decimal'} pl-5 marker:text-ink-3 not-first:mt-1`}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never move
        <li key={index}>
          <Inline text={line.replace(kind === 'bullets' ? BULLET : NUMBER, '')} />
        </li>
      ))}
    </List>
  )
}

/** `**bold**`, `*emphasis*`, code, `[a link](https://…)` and bare addresses. */
const PARTS =
  /(\*\*[^*\n]+\*\*|`[^`\n]+`|\[[^\]\n]+\]\((?:https?:\/\/|mailto:)[^\s)]+\)|https?:\/\/[^\s<>")]*[^\s<>").,;:!?]|(?<![\w*])\*[^*\s][^*\n]*\*(?![\w*]))/

const Inline = ({ text }: { text: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
  text.split(PARTS).map((part, index) => <Part key={index} text={part} isMarked={index % 2 === 1} />)

function Part({ text, isMarked }: { text: string; isMarked: boolean }): ReactNode {
  if (!isMarked) return text
  if (text.startsWith('**')) return <strong>{text.slice(2, -2)}</strong>
  if (text.startsWith('*')) return <em>{text.slice(1, -1)}</em>
  if (text.startsWith('`')) return <code className="font-mono text-xs">{text.slice(1, -1)}</code>
  const [, label, address] = /^\[(.+)\]\((.+)\)$/.exec(text) ?? [undefined, text, text]
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer noopener"
      className="break-all text-accent-text underline-offset-2 hover:underline"
    >
      {label}
    </a>
  )
}
