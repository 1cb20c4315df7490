/** Blocks → HTML. It contains only the tags and attributes named here; all text is escaped. */
import { escapeHtml } from '../../email-templates/entities.ts'
import {
  type Block,
  type Cell,
  type Inline,
  type List,
  MARK_ORDER,
  type Mark,
  type MarkType,
  plainText,
} from './node.ts'
import { safeHref, safeImage } from './urls.ts'

export const blocksToHtml = (blocks: readonly Block[]): string => blocks.map(htmlOf).join('\n')

function htmlOf(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.attrs.level}>${wordsToHtml(block.content)}</h${block.attrs.level}>`
    case 'paragraph':
      return `<p>${wordsToHtml(block.content)}</p>`
    case 'codeBlock':
      return codeHtml(plainText(block.content), block.attrs.language)
    case 'blockquote':
      return `<blockquote>\n${blocksToHtml(block.content)}\n</blockquote>`
    case 'callout':
      return `<aside data-type="${escapeHtml(block.attrs?.type ?? '')}">\n${blocksToHtml(block.content)}\n</aside>`
    case 'table':
      return tableHtml(block.content.map(row => row.content))
    case 'image':
      return imageHtml(block.attrs)
    case 'horizontalRule':
      return '<hr>'
    default:
      return listHtml(block)
  }
}

const codeHtml = (code: string, language: string | null): string =>
  `<pre><code${language ? ` class="language-${escapeHtml(language)}"` : ''}>${escapeHtml(code)}</code></pre>`

function imageHtml({ src, alt, title }: { src: string; alt: string | null; title: string | null }): string {
  const address = safeImage(src)
  if (address === undefined) return alt ? `<p>${escapeHtml(alt)}</p>` : ''
  const hint = title ? ` title="${escapeHtml(title)}"` : ''
  return `<p><img src="${escapeHtml(address)}" alt="${escapeHtml(alt ?? '')}"${hint} loading="lazy"></p>`
}

function listHtml(list: List): string {
  const tag = list.type === 'orderedList' ? 'ol' : 'ul'
  const start = list.type === 'orderedList' && list.attrs.start !== 1 ? ` start="${list.attrs.start}"` : ''
  const items = list.content.map(item => {
    const box =
      item.type === 'taskItem'
        ? `<input type="checkbox" disabled${item.attrs.checked ? ' checked' : ''}> `
        : ''
    return `<li>${box}${itemHtml(item.content)}</li>`
  })
  return `<${tag}${start}>\n${items.join('\n')}\n</${tag}>`
}

/** An item with a single paragraph needs no `<p>`. */
function itemHtml([first, ...rest]: readonly Block[]): string {
  const words = first?.type === 'paragraph' ? wordsToHtml(first.content) : first ? htmlOf(first) : ''
  return rest.length === 0 ? words : `${words}\n${blocksToHtml(rest)}\n`
}

function tableHtml(rows: readonly (readonly Cell[])[]): string {
  const row = (cells: readonly Cell[]) => `<tr>${cells.map(cellHtml).join('')}</tr>`
  return `<table>\n${rows.map(row).join('\n')}\n</table>`
}

function cellHtml(cell: Cell): string {
  const tag = cell.type === 'tableHeader' ? 'th' : 'td'
  const align = cell.attrs ? ` align="${cell.attrs.align}"` : ''
  return `<${tag}${align}>${itemHtml(cell.content)}</${tag}>`
}

const TAGS: Record<Exclude<MarkType, 'link'>, string> = {
  ...{ bold: 'strong', italic: 'em', strike: 's', code: 'code', underline: 'u', highlight: 'mark' },
}

const wordsToHtml = (content: readonly Inline[] = []): string =>
  content
    .map(inline => (inline.type === 'hardBreak' ? '<br>' : marked(escapeHtml(inline.text), inline.marks)))
    .join('')

/** The innermost mark first. */
function marked(words: string, marks: readonly Mark[] = []): string {
  return [...marks]
    .sort((a, b) => MARK_ORDER.indexOf(b.type) - MARK_ORDER.indexOf(a.type))
    .reduce((inside, mark) => {
      if (mark.type !== 'link') return `<${TAGS[mark.type]}>${inside}</${TAGS[mark.type]}>`
      const href = safeHref(mark.attrs?.href ?? '')
      if (!href) return inside
      const title = mark.attrs?.title ? ` title="${escapeHtml(mark.attrs.title)}"` : ''
      return `<a href="${escapeHtml(href)}"${title} rel="noopener noreferrer nofollow">${inside}</a>`
    }, words)
}
