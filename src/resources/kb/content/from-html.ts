/** HTML → blocks: the visible text, in its order and with its structure. */
import { DomUtils } from 'htmlparser2'
import { type Element, htmlTree, isElement, type Node, names } from './html-tree.ts'
import {
  aligned,
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

const BLOCKS = names(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul caption',
)

const dataOf = (node: Node): string => ('data' in node ? node.data : '')
const isBlank = (node: Node): boolean => !isElement(node) && dataOf(node).trim() === ''
const isBlock = ({ name }: Element): boolean => BLOCKS.has(name)

export const blocksOfHtml = (html: string): Block[] => blocksIn(htmlTree(html), [])

/** The content of a short text with tags, such as Editor.js stores. */
export const piecesOfHtml = (html: string): Piece[] =>
  // most have no tags, and a table of ten thousand cells should not create as many parsers
  /[<&]/.test(html) ? collapsed(piecesIn(htmlTree(html), [])) : html === '' ? [] : [text(html)]

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
    if (isElement(node) && DomUtils.existsOne(isBlock, [node])) {
      endWords()
      add(blocksAt(node, marks))
    } else {
      for (const piece of piecesOf(node, marks)) words.push(piece)
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
      return [callout(node.attribs['data-type'], blocksIn(node.children, marks))]
    default:
      return blocksIn(node.children, ownMarks(node, marks))
  }
}

const piecesIn = (nodes: readonly Node[], marks: Mark[]): Piece[] =>
  nodes.flatMap(node => piecesOf(node, marks))

function piecesOf(node: Node, marks: Mark[]): Piece[] {
  if (!isElement(node)) return [text(dataOf(node).replace(/[ \t\n\r\f]+/g, ' '), marks)]
  if (node.name === 'br') return [{ type: 'hardBreak' }]
  if (node.name !== 'img') return piecesIn(node.children, ownMarks(node, marks))
  const { alt = '', title = '' } = node.attribs
  const src = imageSource(node.attribs.src)
  if (src !== undefined) return [image(src, alt, title)]
  return alt === '' ? [] : [text(alt, marks)]
}

const NAMES: Record<string, string> = {
  ...{ b: 'bold', i: 'italic', del: 'strike', ins: 'underline', kbd: 'code', samp: 'code', tt: 'code' },
}

function ownMarks({ name, attribs }: Element, marks: Mark[]): Mark[] {
  if (name === 'a') return withMark(marks, linkMark(attribs.href, attribs.title))
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
    .filter(child => !isBlank(child))
    .map(child => {
      const isItem = isElement(child) && child.name === 'li'
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
  return [{ type: 'orderedList', attrs: { start: intIn(list.attribs.start, 0, 999_999_999, 1) }, content }]
}

/** Whether the checkbox of an item is checked; undefined if it has none. */
function checkedOf(item: Element): boolean | undefined {
  const attribute = item.attribs['data-checked']
  if (attribute !== undefined) return attribute === 'true'
  let node: Node | undefined = item
  for (let level = 0; level < 4 && node && isElement(node); level++) {
    if (node.name === 'input' && node.attribs.type?.toLowerCase() === 'checkbox')
      return node.attribs.checked !== undefined
    node = node.children.find(child => !isBlank(child))
  }
  return undefined
}

function codeOf(pre: Element): Block {
  const inner = pre.children.filter(isElement).find(child => child.name === 'code')
  const classes = `${pre.attribs.class ?? ''} ${inner?.attribs.class ?? ''}`
  const language = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,50})/.exec(classes)?.[1]
  return codeBlock(rawText(pre).replace(/^\n|\n$/g, ''), languageOf(language))
}

const rawText = (node: Node): string =>
  isElement(node) ? (node.name === 'br' ? '\n' : node.children.map(rawText).join('')) : dataOf(node)

function tableOf(table: Element, marks: Mark[]): Block[] {
  const rows: { type: 'tableRow'; content: Cell[] }[] = []
  const before: Block[] = []
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes.filter(isElement)) {
      if (node.name === 'tr')
        rows.push({
          type: 'tableRow',
          content: node.children.filter(isElement).map(cell => cellOf(cell, marks)),
        })
      else if (/^(thead|tbody|tfoot)$/.test(node.name)) walk(node.children)
      else for (const block of blocksIn([node], marks)) before.push(block)
    }
  }
  walk(table.children)
  return rows.some(row => row.content.length > 0) ? [...before, { type: 'table', content: rows }] : before
}

function cellOf(node: Element, marks: Mark[]): Cell {
  const align = /(?:^|text-align:\s*)(left|center|right)\b/i.exec(
    node.attribs.align ?? node.attribs.style ?? '',
  )?.[1]
  return {
    type: node.name === 'th' ? 'tableHeader' : 'tableCell',
    ...aligned(align?.toLowerCase()),
    content: filled(blocksIn(node.name === 'td' || node.name === 'th' ? node.children : [node], marks)),
  }
}
