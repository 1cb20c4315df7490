/** The words of an answer: paragraphs, lists, emphasis, and citations as links to their records. */
import { localFigures } from '#lib/figures.ts'
import type { Citation } from './answers.ts'
import { RecordChip } from './record-chip.tsx'

type ByIndex = ReadonlyMap<number, Citation>

interface AnswerTextProps {
  text: string
  citations: readonly Citation[]
}

export function AnswerText({ text, citations }: AnswerTextProps) {
  const byIndex = new Map(citations.map(citation => [citation.index, citation]))
  return blocksOf(text).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a growing text never move
    <BlockView key={index} block={block} byIndex={byIndex} />
  ))
}

const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+/

interface Block {
  isList: boolean
  lines: string[]
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const line of text.split('\n')) {
    const isList = BULLET.test(line)
    const last = blocks.at(-1)
    if (line.trim() === '') blocks.push({ isList: false, lines: [] })
    else if (last && last.isList === isList && last.lines.length > 0) last.lines.push(line)
    else blocks.push({ isList, lines: [line] })
  }
  return blocks.filter(({ lines }) => lines.length > 0)
}

function BlockView({ block: { isList, lines }, byIndex }: { block: Block; byIndex: ByIndex }) {
  if (!isList) {
    return (
      <p className="whitespace-pre-line">
        <Inline text={lines.join('\n')} byIndex={byIndex} />
      </p>
    )
  }
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-ink-3">
      {lines.map(line => (
        <li key={line}>
          <Inline text={line.replace(BULLET, '')} byIndex={byIndex} />
        </li>
      ))}
    </ul>
  )
}

/** `**bold**`, `code` and `[1]`. */
const PARTS = /(\*\*[^*]+\*\*|`[^`]+`|\[\d{1,4}\])/

const Inline = ({ text, byIndex }: { text: string; byIndex: ByIndex }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
  text.split(PARTS).map((part, index) => <Part key={index} text={part} byIndex={byIndex} />)

function Part({ text, byIndex }: { text: string; byIndex: ByIndex }) {
  const citation = byIndex.get(Number(/^\[(\d+)\]$/.exec(text)?.[1]))
  if (citation) {
    const { entity_type, entity_id, name, index } = citation
    return <RecordChip kind={entity_type} id={entity_id} title={name} index={index} />
  }
  // a list cites its first records only
  if (/^\[\d+\]$/.test(text) && byIndex.size > 0) return null
  if (/^\*\*.+\*\*$/.test(text)) return <strong>{localFigures(text.slice(2, -2))}</strong>
  if (/^`.+`$/.test(text)) return <code className="font-mono text-xs">{text.slice(1, -1)}</code>
  return localFigures(text)
}
