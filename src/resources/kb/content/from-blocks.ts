/** `{"blocks": […]}` as BlockNote writes it → blocks. Blocks with `data` are those of Editor.js: from-editorjs.ts. */
import { blocksOfData } from './from-editorjs.ts'
import {
  type Block,
  type Cell,
  callout,
  codeBlock,
  image,
  itemContent,
  type List,
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
  nameOf,
  objectsIn,
  textIn,
  withMark,
} from './values.ts'

const propsOf = (block: Json): Json => (isObject(block.props) ? block.props : {})

export function blocksOfBlocks(value: unknown): Block[] {
  const blocks: Block[] = []
  for (const block of objectsIn(value)) {
    for (const created of isObject(block.data) ? blocksOfData(block) : blocksAt(block)) {
      if (!joinsList(blocks.at(-1), created)) blocks.push(created)
    }
  }
  return blocks
}

/** Every item is a block; consecutive items form one list. */
function joinsList(last: Block | undefined, created: Block): boolean {
  if (!last || last.type !== created.type || !/List$/.test(created.type) || !oneItem.has(created))
    return false
    // one item each
  ;(last as { content: unknown[] }).content.push((created as { content: unknown[] }).content[0])
  return true
}

/** Lists of one item block, to be joined with their neighbours. */
const oneItem = new WeakSet<Block>()

function itemOf(block: Json, wrap: (content: Block[]) => List): Block[] {
  const own = paragraphsOf(wordsIn(block.content))
  const list = wrap(itemContent([...own, ...blocksOfBlocks(block.children)]))
  oneItem.add(list)
  return [list]
}

function blocksAt(block: Json): Block[] {
  const props = propsOf(block)
  const listItem = (content: Block[]) => ({ type: 'listItem', content }) as const
  switch (nameOf(block)) {
    case 'bulletlistitem':
    case 'togglelistitem':
      return itemOf(block, content => ({ type: 'bulletList', content: [listItem(content)] }))
    case 'numberedlistitem':
      return itemOf(block, content => ({
        type: 'orderedList',
        attrs: { start: intIn(props.start, 0, 999_999_999, 1) },
        content: [listItem(content)],
      }))
    case 'checklistitem':
      return itemOf(block, content => ({
        type: 'taskList',
        content: [{ type: 'taskItem', attrs: { checked: props.checked === true }, content }],
      }))
    case 'quote':
    case 'blockquote':
      return [
        {
          type: 'blockquote',
          content: itemContent([...ownBlocks(block), ...blocksOfBlocks(block.children)]),
        },
      ]
    case 'callout':
    case 'alert':
      return [callout(props.type ?? props.variant, [...ownBlocks(block), ...blocksOfBlocks(block.children)])]
    default:
      return [...plainBlocks(block, props), ...blocksOfBlocks(block.children)]
  }
}

function plainBlocks(block: Json, props: Json): Block[] {
  switch (nameOf(block)) {
    case 'heading':
      return headingOf(wordsIn(block.content), intIn(props.level, 1, 6, 1))
    case 'codeblock':
      return [codeBlock(wordsIn(block.content).map(codeText).join(''), languageOf(props.language))]
    case 'divider':
    case 'horizontalrule':
      return [{ type: 'horizontalRule' }]
    case 'table':
      return tableOf(block.content)
    case 'image':
    case 'video':
    case 'audio':
    case 'file':
      return fileOf(nameOf(block), props)
    default:
      return ownBlocks(block)
  }
}

const codeText = (piece: Piece): string =>
  piece.type === 'text' ? piece.text : piece.type === 'hardBreak' ? '\n' : ''

function ownBlocks(block: Json): Block[] {
  const paragraphs = paragraphsOf(wordsIn(block.content))
  if (paragraphs.length > 0) return paragraphs
  const props = propsOf(block)
  return paragraphsOf(linesAsInlines(textIn(block.text) || textIn(props.text) || textIn(props.title)))
}

function fileOf(name: string, props: Json): Block[] {
  const caption = textIn(props.caption)
  const src = name === 'image' ? imageSource(props.url) : undefined
  if (src !== undefined) return [image(src, caption || textIn(props.name))]
  const link = linkMark(props.url)
  const words = textIn(props.name) || caption || (link?.attrs?.href ?? '')
  return paragraphsOf(words === '' ? [] : [text(words, link ? [link] : [])])
}

/** Text, or pieces of text with their styles, or links around such. */
function wordsIn(content: unknown, marks: Mark[] = []): Piece[] {
  if (typeof content === 'string') return linesAsInlines(content, marks)
  return objectsIn(content).flatMap((piece): Piece[] => {
    if (nameOf(piece) === 'link') return wordsIn(piece.content, withMark(marks, linkMark(piece.href)))
    if (typeof piece.text === 'string') return linesAsInlines(piece.text, styled(piece, marks))
    const props = propsOf(piece)
    const inside = wordsIn(piece.content, marks)
    return inside.length > 0
      ? inside
      : linesAsInlines(textIn(props.user) || textIn(props.name) || textIn(props.label), marks)
  })
}

function styled(piece: Json, marks: Mark[]): Mark[] {
  const styles = isObject(piece.styles) ? piece.styles : {}
  let all = marks
  for (const type of ['bold', 'italic', 'underline', 'strike', 'code'] as const) {
    if (styles[type] === true) all = withMark(all, { type })
  }
  const background = textIn(styles.backgroundColor)
  return background !== '' && background !== 'default' ? withMark(all, { type: 'highlight' }) : all
}

function tableOf(content: unknown): Block[] {
  const rows = objectsIn(isObject(content) ? content.rows : content).map((row, index) => ({
    type: 'tableRow' as const,
    content: (Array.isArray(row.cells) ? row.cells : []).map((cell: unknown): Cell => {
      const words = wordsIn(isObject(cell) ? cell.content : cell)
      return { type: index === 0 ? 'tableHeader' : 'tableCell', content: itemContent(paragraphsOf(words)) }
    }),
  }))
  return rows.some(row => row.content.length > 0) ? [{ type: 'table', content: rows }] : []
}
