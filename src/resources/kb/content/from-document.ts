/** A ProseMirror or Tiptap document → blocks. Of unknown nodes, the text remains. */
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
import {
  intIn,
  isObject,
  type Json,
  linesAsInlines,
  linkMark,
  markNamed,
  nameOf,
  objectsIn,
  textIn,
  withMark,
} from './values.ts'

const attrsOf = (node: Json): Json => (isObject(node.attrs) ? node.attrs : {})

export const blocksOfDocument = (content: unknown): Block[] => blocksIn(objectsIn(content))

/** Text between blocks becomes a paragraph. */
function blocksIn(nodes: readonly Json[]): Block[] {
  const blocks: Block[] = []
  let words: Piece[] = []
  const add = (more: readonly Block[]) => {
    for (const block of more) blocks.push(block)
  }
  const endWords = () => {
    if (words.length > 0) add(paragraphsOf(words))
    words = []
  }
  for (const node of nodes) {
    const inline = inlineOf(node, [])
    if (inline !== undefined) {
      for (const piece of inline) words.push(piece)
    } else {
      endWords()
      add(blocksAt(node))
    }
  }
  endWords()
  return blocks
}

function blocksAt(node: Json): Block[] {
  const attrs = attrsOf(node)
  const children = objectsIn(node.content)
  switch (nameOf(node)) {
    case 'heading':
      return headingOf(wordsIn(children), intIn(attrs.level, 1, 6, 1))
    case 'paragraph':
      return hasBlocks(children) ? blocksIn(children) : paragraphsOf(wordsIn(children))
    case 'bulletlist':
    case 'orderedlist':
    case 'tasklist':
      return listOf(nameOf(node), attrs, children)
    case 'blockquote':
      return [{ type: 'blockquote', content: filled(blocksIn(children)) }]
    case 'callout':
    case 'admonition':
    case 'alert':
      return [callout(attrs.type ?? attrs.variant ?? attrs.kind, blocksIn(children))]
    case 'codeblock':
      return [codeBlock(codeOf(children), languageOf(attrs.language ?? attrs.params))]
    case 'table':
      return tableOf(children)
    case 'horizontalrule':
    case 'divider':
      return [{ type: 'horizontalRule' }]
    default:
      return unknownBlocks(node)
  }
}

function unknownBlocks(node: Json): Block[] {
  const children = objectsIn(node.content)
  if (children.length > 0) return blocksIn(children)
  const attrs = attrsOf(node)
  const words = [node.text, attrs.text, attrs.label, attrs.title, attrs.alt]
    .map(textIn)
    .find(value => value !== '')
  return words === undefined ? [] : paragraphsOf(linesAsInlines(words))
}

/** The text of an inline node, or undefined for a block. */
function inlineOf(node: Json, outer: Mark[]): Piece[] | undefined {
  const attrs = attrsOf(node)
  const name = nameOf(node)
  if (name === 'text') return textIn(node.text) === '' ? [] : [text(textIn(node.text), marksOf(node, outer))]
  if (name === 'hardbreak' || name === 'br') return [{ type: 'hardBreak' }]
  if (name === 'image' || name === 'img') {
    const src = imageSource(attrs.src)
    const alt = textIn(attrs.alt)
    if (src !== undefined) return [image(src, alt, textIn(attrs.title))]
    return alt === '' ? [] : [text(alt, outer)]
  }
  if (name === 'mention' || name === 'emoji' || name === 'hashtag') {
    const words = textIn(attrs.label) || textIn(attrs.name) || textIn(attrs.id)
    return words === '' ? [] : [text(name === 'mention' ? `@${words}` : words, marksOf(node, outer))]
  }
  return undefined
}

const INLINE = ['text', 'hardbreak', 'br', 'image', 'img', 'mention', 'emoji', 'hashtag']
const hasBlocks = (nodes: readonly Json[]): boolean =>
  nodes.some(
    node => !INLINE.includes(nameOf(node)) && objectsIn(node.content).some(inner => nameOf(inner) !== 'text'),
  )

/** All text below, at any depth. */
const wordsIn = (nodes: readonly Json[], marks: Mark[] = []): Piece[] =>
  nodes.flatMap(node => {
    const own = inlineOf(node, marks)
    if (own !== undefined) return own
    const inside = wordsIn(objectsIn(node.content), marksOf(node, marks))
    const { text: words, label } = attrsOf(node)
    return inside.length > 0
      ? inside
      : linesAsInlines(textIn(node.text) || textIn(words) || textIn(label), marks)
  })

function marksOf(node: Json, outer: Mark[]): Mark[] {
  let marks = outer
  for (const mark of objectsIn(node.marks).slice(0, 20)) {
    const name = nameOf(mark)
    const type = markNamed(name)
    const attrs = attrsOf(mark)
    if (name === 'link') marks = withMark(marks, linkMark(attrs.href, attrs.title))
    else if (type !== undefined) marks = withMark(marks, { type })
  }
  return marks
}

const codeOf = (nodes: readonly Json[]): string =>
  nodes
    .map(node => (nameOf(node) === 'hardbreak' ? '\n' : textIn(node.text) || codeOf(objectsIn(node.content))))
    .join('')

function listOf(name: string, attrs: Json, children: readonly Json[]): Block[] {
  const items = children.map(child => {
    const isItem = ['listitem', 'taskitem'].includes(nameOf(child))
    const content = itemContent(blocksIn(isItem ? objectsIn(child.content) : [child]))
    return { content, checked: attrsOf(child).checked === true }
  })
  if (items.length === 0) return []
  if (name === 'tasklist') {
    const tasks = items.map(
      ({ content, checked }) => ({ type: 'taskItem', attrs: { checked }, content }) as const,
    )
    return [{ type: 'taskList', content: tasks }]
  }
  const content = items.map(item => ({ type: 'listItem', content: item.content }) as const)
  if (name === 'bulletlist') return [{ type: 'bulletList', content }]
  return [
    { type: 'orderedList', attrs: { start: intIn(attrs.start ?? attrs.order, 0, 999_999_999, 1) }, content },
  ]
}

function tableOf(rows: readonly Json[]): Block[] {
  const content = rows.map(row => ({
    type: 'tableRow' as const,
    content: objectsIn(row.content).map((cell): Cell => {
      const attrs = attrsOf(cell)
      const align = [attrs.align, attrs.textAlign].find(value => /^(left|center|right)$/.test(textIn(value)))
      return {
        type: nameOf(cell) === 'tableheader' ? 'tableHeader' : 'tableCell',
        ...aligned(align),
        content: filled(blocksIn(objectsIn(cell.content))),
      }
    }),
  }))
  return content.some(row => row.content.length > 0) ? [{ type: 'table', content }] : []
}
