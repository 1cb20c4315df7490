/** Blocks → markdown. */
import { type Block, type Cell, type Inline, isEmpty, type List, plainText, type Table } from './node.ts'
import { escaped, wordsToMarkdown } from './to-markdown-inline.ts'
import { imageSource } from './urls.ts'

export const blocksToMarkdown = (blocks: readonly Block[]): string => linesOf(blocks).join('\n')

/** The lines of blocks, with an empty one between two blocks. */
function linesOf(blocks: readonly Block[], isItem = false): string[] {
  const lines: string[] = []
  // two lists in a row would become one, were their signs the same
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

/** Number signs at the end would be taken for the heading's own. */
const headingWords = (content: readonly Inline[] = []): string =>
  wordsToMarkdown(content, '<br>')
    .replace(/^\\(?=[#>=|:+-])/, '')
    .replace(/(#+)$/, '\\$1')

function imageLine({ src, alt, title }: { src: string; alt: string | null; title: string | null }): string[] {
  const address = imageSource(src)
  const words = escaped((alt ?? '').replace(/\s+/g, ' ').trim(), ']')
  if (address === undefined) return words === '' ? [] : [words]
  return [
    `![${words}](${address}${title ? ` "${escaped(title.replace(/\s+/g, ' ')).replaceAll('"', '\\"')}"` : ''})`,
  ]
}

function fence(code: string, language: string | null): string[] {
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).map(run => run.length))
  const sign = '`'.repeat(longest + 1)
  return [sign + (language ?? ''), ...(code === '' ? [] : code.split(/\r\n|[\n\r]/)), sign]
}

function quoteLines(content: readonly Block[], type: string | undefined): string[] {
  const inside = linesOf(content)
  const sign = type === undefined ? [] : [`[!${type.toUpperCase()}]`]
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
    // an item that has more than words and lists stands apart from the next
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
  const width = Math.max(0, ...table.content.map(row => row.content.length))
  if (!head || width === 0) return []
  const empty = Array.from<string>({ length: width - head.length }).fill('')
  const rule = Array.from({ length: width }, (_, index) => RULES[head[index]?.attrs?.align ?? 'none'])
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line([...head.map(cellWords), ...empty]),
    line(rule),
    ...rows.map(cells => line(cells.map(cellWords))),
  ]
}

const RULES = { none: '---', left: ':---', center: ':---:', right: '---:' }

/** A cell is one line: what stands in it is parted by breaks. */
function cellWords(cell: Cell): string {
  return cell.content
    .map(cellBlock)
    .filter(words => words !== '')
    .join('<br>')
    .replaceAll('|', '\\|')
}

function cellBlock(block: Block): string {
  if (block.type === 'image') return imageLine(block.attrs).join('')
  if (block.type === 'codeBlock') {
    const code = plainText(block.content).replace(/\s+/g, ' ').trim()
    return code === ''
      ? ''
      : wordsToMarkdown([{ type: 'text', text: code, marks: [{ type: 'code' }] }], '<br>')
  }
  if (block.type === 'table') return block.content.flatMap(row => row.content.map(cellWords)).join(' ')
  if (block.type === 'horizontalRule') return ''
  if (block.type === 'heading' || block.type === 'paragraph')
    return wordsToMarkdown(block.content ?? [], '<br>')
  const inside: readonly Block[] = isList(block)
    ? block.content.flatMap<Block>(item => item.content)
    : block.content
  return inside
    .map(cellBlock)
    .filter(words => words !== '')
    .join('<br>')
}
