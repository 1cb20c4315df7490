/** Blocks → markdown. */
import { type Block, type Cell, type Inline, isEmpty, type List, plainText, type Table } from './node.ts'
import { escaped, wordsToMarkdown } from './to-markdown-inline.ts'
import { imageSource } from './urls.ts'

export const blocksToMarkdown = (blocks: readonly Block[]): string => linesOf(blocks).join('\n')

/** The lines of blocks, with an empty one between two blocks. */
function linesOf(blocks: readonly Block[], isItem = false): string[] {
  const lines: string[] = []
  // two consecutive lists with the same sign would become one
  let alternate = false
  let previous: Block | undefined
  for (const block of blocks) {
    if (isEmpty(block)) continue
    alternate = isSameKind(previous, block) && !alternate
    const own = isList(block) ? listLines(block, alternate) : blockLines(block)
    if (own.length === 0) continue
    const isTight = isItem && previous?.type === 'paragraph' && isReadBelowWords(block)
    if (lines.length > 0 && !isTight) lines.push('')
    for (const line of own) lines.push(line)
    previous = block
  }
  return lines
}

const isList = (block: Block | undefined): block is List => block !== undefined && /List$/.test(block.type)

const isSameKind = (previous: Block | undefined, block: Block): boolean =>
  isList(previous) && isList(block) && (previous.type === 'orderedList') === (block.type === 'orderedList')

/** A list right below the words of its item needs no empty line, unless it could not begin there. */
function isReadBelowWords(block: Block): boolean {
  if (!isList(block)) return false
  const first = block.content[0]?.content.find(inner => !isEmpty(inner))
  return first?.type === 'paragraph' && (block.type !== 'orderedList' || block.attrs.start === 1)
}

function blockLines(block: Exclude<Block, List>): string[] {
  switch (block.type) {
    case 'heading':
      return [`${'#'.repeat(block.attrs.level)} ${headingWords(block.content)}`.trimEnd()]
    case 'paragraph':
      return wordsToMarkdown(block.content ?? [], '\\\n')
        .split('\n')
        .filter(line => line !== '')
    case 'codeBlock':
      return fence(plainText(block.content), block.attrs.language)
    case 'blockquote':
    case 'callout':
      return quoteLines(block.content, block.attrs?.type)
    case 'table':
      return tableLines(block)
    case 'image':
      return imageLine(block.attrs)
    case 'horizontalRule':
      return ['---']
  }
}

/** Number signs at the end would be read as the closing sequence of the heading. */
const headingWords = (content: readonly Inline[] = []): string =>
  wordsToMarkdown(content, '<br>').replace(/#+$/, '\\$&')

function imageLine({ src, alt, title }: { src: string; alt: string | null; title: string | null }): string[] {
  const address = imageSource(src)
  const words = escaped((alt ?? '').replace(/\s+/g, ' ').trim(), ']')
  if (address === undefined) return words === '' ? [] : [words]
  return [
    `![${words}](${address}${title ? ` "${escaped(title.replace(/\s+/g, ' ')).replaceAll('"', '\\"')}"` : ''})`,
  ]
}

function fence(code: string, language: string | null): string[] {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const sign = '`'.repeat(longest + 1)
  return [sign + (language ?? ''), ...(code === '' ? [] : code.split(/\r\n|[\n\r]/)), sign]
}

function quoteLines(content: readonly Block[], type: string | undefined): string[] {
  const inside = linesOf(content)
  const isWords = content.find(block => !isEmpty(block))?.type === 'paragraph'
  // a list right below the sign would be read as part of it
  const sign =
    type === undefined ? [] : [`[!${type.toUpperCase()}]`, ...(isWords || inside.length === 0 ? [] : [''])]
  const lines = [...sign, ...inside]
  return (lines.length === 0 ? [''] : lines).map(line => (line === '' ? '>' : `> ${line}`))
}

/** Markdown reads no more than nine digits. */
const MAX_NUMBER = 999_999_999

function listLines(list: List, alternate: boolean): string[] {
  const lines: string[] = []
  let number = list.type === 'orderedList' ? list.attrs.start : 0
  let wasLoose = false
  for (const item of list.content) {
    const sign =
      list.type === 'orderedList'
        ? `${Math.min(number++, MAX_NUMBER)}${alternate ? ')' : '.'}`
        : alternate
          ? '*'
          : '-'
    const box = item.type === 'taskItem' ? (item.attrs.checked ? '[x]' : '[ ]') : ''
    const own = itemLines(item.content, sign, box)
    // an item with more than text and lists is separated from the next by an empty line
    const isLoose = own.includes('')
    if (lines.length > 0 && (isLoose || wasLoose)) lines.push('')
    wasLoose = isLoose
    for (const line of own) lines.push(line)
  }
  return lines
}

function itemLines(content: readonly Block[], sign: string, box: string): string[] {
  const inside = linesOf(content, true)
  const indent = ' '.repeat(sign.length + 1)
  const begins = content.find(block => !isEmpty(block))?.type
  const indented = (lines: string[]) => lines.map(line => (line === '' ? '' : indent + line))
  if (begins === 'paragraph')
    return [`${sign} ${box === '' ? '' : `${box} `}${inside[0]}`, ...indented(inside.slice(1))]
  return [
    box === '' ? sign : `${sign} ${box}`,
    ...(box !== '' && inside.length > 0 ? [''] : []),
    ...indented(inside),
  ]
}

function tableLines(table: Table): string[] {
  const [head, ...rows] = table.content.map(row => row.content)
  const width = table.content.reduce((most, row) => Math.max(most, row.content.length), 0)
  if (!head || width === 0) return []
  const missing = table.content.reduce((sum, row) => sum + width - row.content.length, 0)
  const row = (cells: readonly Cell[], isFull: boolean) => {
    const filled = Array.from({ length: isFull ? width : cells.length }, (_, at) =>
      cells[at] ? cellWords(cells[at]) : '',
    )
    return `| ${filled.join(' | ')} |`
  }
  const rule = Array.from({ length: width }, (_, at) => RULES[head[at]?.attrs?.align ?? 'none'])
  // one long row among many short ones must not exhaust the memory
  const lines = rows.map(cells => row(cells, missing <= MAX_FILLED))
  return [row(head, true), `| ${rule.join(' | ')} |`, ...lines]
}

/** markdown-it completes no more cells than this either. */
const MAX_FILLED = 65_536

const RULES = { none: '---', left: ':---', center: ':---:', right: '---:' }

/** A cell is one line: its blocks are separated by `<br>`. */
const cellWords = (cell: Cell): string => lineOf(cell.content).replaceAll('|', '\\|')

const lineOf = (blocks: readonly Block[]): string =>
  blocks
    .map(wordsOfBlock)
    .filter(words => words !== '')
    .join('<br>')

function wordsOfBlock(block: Block): string {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return wordsToMarkdown(block.content ?? [], '<br>')
    case 'image':
      return imageLine(block.attrs).join('')
    case 'codeBlock': {
      const code = plainText(block.content).replace(/\s+/g, ' ').trim()
      return code === ''
        ? ''
        : wordsToMarkdown([{ type: 'text', text: code, marks: [{ type: 'code' }] }], '<br>')
    }
    case 'table':
      return lineOf(block.content.flatMap(row => row.content.flatMap(cell => cell.content)))
    case 'horizontalRule':
      return ''
    case 'blockquote':
    case 'callout':
      return lineOf(block.content)
    default:
      return lineOf(block.content.flatMap<Block>(item => item.content))
  }
}
