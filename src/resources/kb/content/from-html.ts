/** HTML → blocks: what a person would read of it, in its order and with its structure. */
import { BLOCKS, type Element, htmlTree, rawText } from './html-tree.ts'
import {
  type Align,
  type Block,
  type Cell,
  callout,
  codeBlock,
  filled,
  image,
  itemContent,
  type Mark,
  text,
} from './node.ts'
import { headingOf, languageOf, type Piece, paragraphsOf } from './pieces.ts'
import { imageSource } from './urls.ts'
import { intIn, linkMark, markNamed, withMark } from './values.ts'

type Node = Element | string

export const blocksOfHtml = (html: string): Block[] => blocksIn(htmlTree(html).children, [])

/** The words of a short text with tags in it, such as Editor.js keeps. */
export const piecesOfHtml = (html: string): Piece[] =>
  // most have none, and a table of ten thousand cells need not make as many parsers
  /[<&]/.test(html) ? collapsed(piecesIn(htmlTree(html).children, [])) : html === '' ? [] : [text(html)]

function blocksIn(nodes: readonly Node[], marks: Mark[]): Block[] {
  const blocks: Block[] = []
  let words: Piece[] = []
  const add = (more: readonly Block[]) => {
    for (const block of more) blocks.push(block)
  }
  const endWords = () => {
    if (words.length > 0) add(paragraphsOf(collapsed(words)))
    words = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || !(BLOCKS.has(node.name) || node.hasBlock)) {
      for (const piece of piecesOf(node, marks)) words.push(piece)
    } else {
      endWords()
      add(blocksAt(node, marks))
    }
  }
  endWords()
  return blocks
}

function blocksAt(node: Element, marks: Mark[]): Block[] {
  switch (node.name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return headingOf(collapsed(piecesIn(node.children, marks)), Number(node.name.charAt(1)))
    case 'ul':
    case 'menu':
    case 'dir':
    case 'ol':
      return listOf(node, marks)
    case 'blockquote':
      return [{ type: 'blockquote', content: filled(blocksIn(node.children, marks)) }]
    case 'pre':
      return [codeOf(node)]
    case 'table':
      return tableOf(node, marks)
    case 'hr':
      return [{ type: 'horizontalRule' }]
    case 'aside':
      return [callout(node.attrs.get('data-type'), blocksIn(node.children, marks))]
    default:
      return blocksIn(node.children, ownMarks(node, marks))
  }
}

const piecesIn = (nodes: readonly Node[], marks: Mark[]): Piece[] =>
  nodes.flatMap(node => piecesOf(node, marks))

function piecesOf(node: Node, marks: Mark[]): Piece[] {
  if (typeof node === 'string') return node === '' ? [] : [text(node.replace(/[ \t\n\r\f]+/g, ' '), marks)]
  if (node.name === 'br') return [{ type: 'hardBreak' }]
  if (node.name !== 'img') return piecesIn(node.children, ownMarks(node, marks))
  const src = imageSource(node.attrs.get('src'))
  const alt = node.attrs.get('alt') ?? ''
  if (src !== undefined) return [image(src, alt, node.attrs.get('title') ?? '')]
  return alt === '' ? [] : [text(alt, marks)]
}

const NAMES: Record<string, string> = {
  ...{ b: 'bold', i: 'italic', del: 'strike', ins: 'underline', kbd: 'code', samp: 'code', tt: 'code' },
}

function ownMarks({ name, attrs }: Element, marks: Mark[]): Mark[] {
  if (name === 'a') return withMark(marks, linkMark(attrs.get('href'), attrs.get('title')))
  const type = markNamed((Object.hasOwn(NAMES, name) ? NAMES[name] : undefined) ?? name)
  return type === undefined ? marks : withMark(marks, { type })
}

/** White space at the end of one text and at the beginning of the next is one space. */
function collapsed(pieces: readonly Piece[]): Piece[] {
  let afterSpace = true
  return pieces.map(piece => {
    if (piece.type !== 'text') {
      afterSpace = true
      return piece
    }
    const words = afterSpace ? piece.text.replace(/^[ \n\t]+/, '') : piece.text
    if (words !== '') afterSpace = words.endsWith(' ')
    return text(words, piece.marks)
  })
}

function listOf(list: Element, marks: Mark[]): Block[] {
  const items = list.children
    .filter(child => typeof child !== 'string' || child.trim() !== '')
    .map(child => {
      const isItem = typeof child !== 'string' && child.name === 'li'
      const content = itemContent(blocksIn(isItem ? child.children : [child], marks))
      return { content, checked: isItem ? checkedOf(child) : undefined }
    })
  if (items.length === 0) return []
  if (list.name !== 'ol' && items.every(({ checked }) => checked !== undefined)) {
    const tasks = items.map(
      ({ content, checked }) =>
        ({ type: 'taskItem', attrs: { checked: checked === true }, content }) as const,
    )
    return [{ type: 'taskList', content: tasks }]
  }
  const content = items.map(item => ({ type: 'listItem', content: item.content }) as const)
  if (list.name !== 'ol') return [{ type: 'bulletList', content }]
  return [
    { type: 'orderedList', attrs: { start: intIn(list.attrs.get('start'), 0, 999_999_999, 1) }, content },
  ]
}

/** Whether the box in front of an item is ticked; undefined when it has none. */
function checkedOf(item: Element): boolean | undefined {
  const given = item.attrs.get('data-checked')
  if (given !== undefined) return given === 'true'
  let node: Node | undefined = item
  for (let level = 0; level < 4 && typeof node === 'object'; level++) {
    if (node.name === 'input' && node.attrs.get('type')?.toLowerCase() === 'checkbox')
      return node.attrs.has('checked')
    node = node.children.find(child => typeof child !== 'string' || child.trim() !== '')
  }
  return undefined
}

function codeOf(pre: Element): Block {
  const inner = pre.children.find(child => typeof child !== 'string' && child.name === 'code')
  const classes = [pre, inner]
    .map(node => (typeof node === 'object' ? (node.attrs.get('class') ?? '') : ''))
    .join(' ')
  const language = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,50})/.exec(classes)?.[1]
  return codeBlock(rawText(pre).replace(/^\n|\n$/g, ''), languageOf(language))
}

function tableOf(table: Element, marks: Mark[]): Block[] {
  const rows: { type: 'tableRow'; content: Cell[] }[] = []
  const before: Block[] = []
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (typeof node === 'string') continue
      if (node.name === 'tr')
        rows.push({ type: 'tableRow', content: node.children.flatMap(cell => cellOf(cell, marks)) })
      else if (/^(thead|tbody|tfoot)$/.test(node.name)) walk(node.children)
      else for (const block of blocksIn([node], marks)) before.push(block)
    }
  }
  walk(table.children)
  return rows.some(row => row.content.length > 0) ? [...before, { type: 'table', content: rows }] : before
}

function cellOf(node: Node, marks: Mark[]): Cell[] {
  if (typeof node === 'string') return []
  const align = /(?:^|text-align:\s*)(left|center|right)\b/i.exec(
    node.attrs.get('align') ?? node.attrs.get('style') ?? '',
  )?.[1]
  return [
    {
      type: node.name === 'th' ? 'tableHeader' : 'tableCell',
      ...(align ? { attrs: { align: align.toLowerCase() as Align } } : {}),
      content: filled(blocksIn(node.name === 'td' || node.name === 'th' ? node.children : [node], marks)),
    },
  ]
}
