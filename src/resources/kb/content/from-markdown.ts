/** Markdown → blocks, by the tokens of markdown-it. */
import MarkdownIt, { type Env, type Token } from 'markdown-it'
import { at } from '../../../lib/values.ts'
import { inlinesOf, readInlines } from './from-markdown-inline.ts'
import { aligned, type Block, type Cell, callout, codeBlock, filled, itemContent, type List } from './node.ts'
import { headingOf, languageOf, type Piece, paragraphsOf } from './pieces.ts'

/**
 * Each level of blocks is two levels of JSON, and a body may have 64, so the result can be sent back. Deeper blocks
 * stay text.
 */
const MAX_NESTING = 26

/** For brackets within brackets: beyond this depth they stay text. */
const md = new MarkdownIt({ maxNesting: MAX_NESTING + 10 })
// The inline content is parsed below, after the signs of tasks and callouts are taken off.
md.core.ruler.enableOnly(['normalize', 'block'])
readInlines(md)
const tokenize = md.block.tokenize.bind(md.block)
md.block.tokenize = (state, from, to, ...rest) => {
  if (state.level < MAX_NESTING) return tokenize(state, from, to, ...rest)
  const content = state.getLines(from, to, state.blkIndent, false).trim()
  state.line = to
  if (content === '') return
  state.push('paragraph_open', 'p', 1).map = [from, to]
  state.push('inline', '', 0).content = content
  state.push('paragraph_close', 'p', -1)
}

interface Reader {
  tokens: Token[]
  at: number
  /** the link references that markdown-it has found */
  env: Env
}

export function blocksOfMarkdown(markdown: string): Block[] {
  const env: Env = {}
  const tokens = md.parse(markdown, env)
  return blocksUntil({ tokens, at: 0, env }, '')
}

/** The blocks up to the closing token, which is skipped. */
function blocksUntil(reader: Reader, close: string): Block[] {
  const blocks: Block[] = []
  while (reader.at < reader.tokens.length) {
    const token = at(reader.tokens, reader.at++)
    if (token.type === close) break
    for (const block of blocksAt(reader, token)) blocks.push(block)
  }
  return blocks
}

function blocksAt(reader: Reader, token: Token): Block[] {
  switch (token.type) {
    case 'heading_open':
      return headingOf(wordsOf(reader), Number(token.tag.slice(1)))
    case 'paragraph_open':
      return paragraphsOf(wordsOf(reader))
    case 'bullet_list_open':
      return listsOf(reader, 'bullet_list_close', undefined)
    case 'ordered_list_open':
      return listsOf(reader, 'ordered_list_close', Number(token.attrGet('start') ?? 1))
    case 'blockquote_open':
      return [quoteOf(reader)]
    case 'fence':
    case 'code_block':
      return [codeBlock(token.content.replace(/\n$/, ''), languageOf(token.info))]
    case 'hr':
      return [{ type: 'horizontalRule' }]
    case 'table_open':
      return [tableOf(reader)]
    default:
      return []
  }
}

/** The inline token of a paragraph, heading or cell, and its end. */
function wordsOf(reader: Reader): Piece[] {
  const token = reader.tokens[reader.at]
  if (token?.type !== 'inline') {
    reader.at += 1
    return []
  }
  reader.at += 2
  return inlinesOf(md, token.content.trim(), reader.env)
}

/** Items with a checkbox become separate lists, because an editor's list has either all or none. */
function listsOf(reader: Reader, close: string, start: number | undefined): List[] {
  const lists: List[] = []
  while (reader.at < reader.tokens.length) {
    const token = at(reader.tokens, reader.at++)
    if (token.type === close) break
    if (token.type === 'list_item_open') addItem(lists, reader, start)
  }
  return lists
}

function addItem(lists: List[], reader: Reader, start: number | undefined): void {
  const checked = start === undefined ? takeBox(reader) : undefined
  const content = itemContent(blocksUntil(reader, 'list_item_close'))
  const last = lists.at(-1)
  if (checked !== undefined) {
    const item = { type: 'taskItem', attrs: { checked }, content } as const
    if (last?.type === 'taskList') last.content.push(item)
    else lists.push({ type: 'taskList', content: [item] })
    return
  }
  const item = { type: 'listItem', content } as const
  if (last && last.type !== 'taskList') last.content.push(item)
  else if (start === undefined) lists.push({ type: 'bulletList', content: [item] })
  else lists.push({ type: 'orderedList', attrs: { start }, content: [item] })
}

/** Removes `[ ]` or `[x]` in front of an item's text, and returns whether it is checked. */
function takeBox({ tokens, at }: Reader): boolean | undefined {
  const words = tokens[at]?.type === 'paragraph_open' ? tokens[at + 1] : undefined
  const box = words && /^\[([ xX])\](?:\s+|$)/.exec(words.content)
  if (!box) return undefined
  words.content = words.content.slice(box[0].length)
  return box[1] !== ' '
}

/** `> [!NOTE]` on the first line makes a quote a callout. */
function quoteOf(reader: Reader): Block {
  const { tokens, at } = reader
  const words = tokens[at]?.type === 'paragraph_open' ? tokens[at + 1] : undefined
  const sign = words && /^\[!([a-z][a-z0-9_-]{0,31})\][ \t]*(?:\n|$)/i.exec(words.content)
  if (sign) words.content = words.content.slice(sign[0].length)
  const content = blocksUntil(reader, 'blockquote_close')
  return sign ? callout(sign[1], content) : { type: 'blockquote', content: filled(content) }
}

function tableOf(reader: Reader): Block {
  const rows: { type: 'tableRow'; content: Cell[] }[] = []
  while (reader.at < reader.tokens.length) {
    const token = at(reader.tokens, reader.at++)
    if (token.type === 'table_close') break
    if (token.type === 'tr_open') rows.push({ type: 'tableRow', content: [] })
    else if (token.type === 'th_open' || token.type === 'td_open') {
      const align = /text-align:(left|center|right)/.exec(String(token.attrGet('style')))?.[1]
      rows.at(-1)?.content.push({
        type: token.type === 'th_open' ? 'tableHeader' : 'tableCell',
        ...aligned(align),
        content: filled(paragraphsOf(wordsOf(reader))),
      })
    }
  }
  return { type: 'table', content: rows }
}
