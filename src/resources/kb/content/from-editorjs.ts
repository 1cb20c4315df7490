/** A block of Editor.js, with its content in `data` and its text as HTML → blocks. */
import { blocksOfHtml, piecesOfHtml } from './from-html.ts'
import { type Block, type Cell, callout, codeBlock, filled, image, itemContent, text } from './node.ts'
import { headingOf, languageOf, paragraphsOf } from './pieces.ts'
import { imageSource } from './urls.ts'
import { intIn, isObject, type Json, linkMark, nameOf, objectsIn, textIn } from './values.ts'

const paragraphs = (html: unknown): Block[] => paragraphsOf(piecesOfHtml(textIn(html)))

export function blocksOfData(block: Json): Block[] {
  const data = isObject(block.data) ? block.data : {}
  switch (nameOf(block)) {
    case 'header':
    case 'heading':
      return headingOf(piecesOfHtml(textIn(data.text)), intIn(data.level, 1, 6, 2))
    case 'list':
    case 'nestedlist':
    case 'checklist':
      return listOf(data, nameOf(block) === 'checklist' ? 'checklist' : textIn(data.style))
    case 'quote':
      return [
        { type: 'blockquote', content: filled([...paragraphs(data.text), ...paragraphs(data.caption)]) },
      ]
    case 'warning':
      return [callout('warning', [...paragraphs(data.title), ...paragraphs(data.message)])]
    case 'callout':
    case 'alert':
      return [callout(data.type, [...paragraphs(data.title), ...paragraphs(data.text ?? data.message)])]
    case 'code':
      return [codeBlock(textIn(data.code), languageOf(data.language ?? data.languageCode))]
    case 'delimiter':
    case 'divider':
      return [{ type: 'horizontalRule' }]
    case 'table':
      return tableOf(data)
    case 'raw':
      return blocksOfHtml(textIn(data.html))
    default:
      return otherOf(block, data)
  }
}

/** Images, files, links and unknown blocks: their address and their text. */
function otherOf(block: Json, data: Json): Block[] {
  const file = isObject(data.file) ? data.file : {}
  const url = file.url ?? data.url ?? data.link ?? data.source ?? data.embed
  const words = textIn(data.text) || textIn(data.caption) || textIn(data.title) || textIn(data.message)
  const src = /image$/.test(nameOf(block)) ? imageSource(url) : undefined
  if (src !== undefined) return [image(src, paragraphs(words).map(plain).join(' '))]
  const link = linkMark(url)
  if (!link) return paragraphs(words)
  const meta = isObject(data.meta) ? data.meta : {}
  const name = words || textIn(meta.title) || textIn(file.name) || link.attrs?.href || ''
  return paragraphsOf([text(name, [link])])
}

const plain = (block: Block): string =>
  block.type === 'paragraph'
    ? (block.content ?? []).map(inline => (inline.type === 'text' ? inline.text : ' ')).join('')
    : ''

/** Items are texts, or objects with a text and nested items. */
function listOf(data: Json, style: string): Block[] {
  const input = Array.isArray(data.items) ? data.items : []
  const items = input
    .filter(item => typeof item === 'string' || isObject(item))
    .map((item: string | Json) => {
      if (typeof item === 'string') return { content: itemContent(paragraphs(item)), checked: false }
      const meta = isObject(item.meta) ? item.meta : {}
      const below = listOf({ items: item.items }, style)
      const content = itemContent([...paragraphs(item.content ?? item.text), ...below])
      return { content, checked: (item.checked ?? meta.checked) === true }
    })
  if (items.length === 0) return []
  if (style === 'checklist') {
    const tasks = items.map(
      ({ content, checked }) => ({ type: 'taskItem', attrs: { checked }, content }) as const,
    )
    return [{ type: 'taskList', content: tasks }]
  }
  const content = items.map(item => ({ type: 'listItem', content: item.content }) as const)
  if (style !== 'ordered') return [{ type: 'bulletList', content }]
  const meta = isObject(data.meta) ? data.meta : {}
  return [{ type: 'orderedList', attrs: { start: intIn(meta.start, 0, 999_999_999, 1) }, content }]
}

function tableOf(data: Json): Block[] {
  const input: unknown[] = Array.isArray(data.content) ? data.content : []
  const rows = input
    .filter(row => Array.isArray(row))
    .map((row: unknown[], index) => ({
      type: 'tableRow' as const,
      content: row.map(
        (cell): Cell => ({
          type: index === 0 ? 'tableHeader' : 'tableCell',
          content: filled(paragraphs(cell)),
        }),
      ),
    }))
  return [
    ...(rows.some(row => row.content.length > 0) ? [{ type: 'table' as const, content: rows }] : []),
    ...objectsIn(data.blocks).flatMap(blocksOfData),
  ]
}
