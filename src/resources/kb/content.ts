/**
 * A page's content as blocks and as markdown. Plain for now: headings, lists, quotes, code and paragraphs; what
 * else a block is, its text is kept.
 */

export type Content = Record<string, unknown>
type Node = Record<string, unknown>

export const emptyContent = (): Content => ({ type: 'doc', content: [] })

/** What is wrong with a content, or undefined. */
export function contentProblem(content: Content): string | undefined {
  const isDocument =
    content.type === 'doc' && (content.content === undefined || Array.isArray(content.content))
  return isDocument || Array.isArray(content.blocks)
    ? undefined
    : 'content must be {"type": "doc", "content": […]} or {"blocks": […]}'
}

export function markdownOf(content: Content): string {
  const blocks = nodesIn(Array.isArray(content.blocks) ? content.blocks : content.content)
  return joined(blocks.map(markdownOfBlock))
}

/** Headings, and paragraphs parted by empty lines. */
export function contentOf(markdown: string): Content {
  const content: Node[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) content.push(blockOf('paragraph', paragraph.join('\n')))
    paragraph = []
  }
  for (const line of markdown.split(/\r?\n/)) {
    const marks = /^#{1,6}(?= )/.exec(line)?.[0]
    if (marks !== undefined || line.trim() === '') endParagraph()
    if (marks !== undefined) content.push(blockOf('heading', line.slice(marks.length).trim(), marks.length))
    else if (line.trim() !== '') paragraph.push(line)
  }
  endParagraph()
  return { type: 'doc', content }
}

const blockOf = (type: string, text: string, level?: number): Node => ({
  type,
  ...(level === undefined ? {} : { attrs: { level } }),
  ...(text === '' ? {} : { content: [{ type: 'text', text }] }),
})

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const joined = (blocks: string[]): string => blocks.filter(block => block.trim() !== '').join('\n\n')

/** ProseMirror keeps a block's attributes in `attrs`, BlockNote in `props`, Editor.js in `data`. */
const attribute = (block: Node, name: string): unknown =>
  [block.attrs, block.props, block.data].find(isNode)?.[name]

function markdownOfBlock(block: Node): string {
  const type = String(block.type ?? '')
  if (/^(heading|header)$/i.test(type)) {
    const level = Math.min(Math.max(Number(attribute(block, 'level')) || 1, 1), 6)
    return `${'#'.repeat(level)} ${textOf(block)}`
  }
  if (/list$/i.test(type))
    return listItems(block, /ordered/i.test(`${type} ${attribute(block, 'style')}`)).join('\n')
  if (/listItem$/i.test(type)) return withChildren(`- ${textOf(block)}`, block)
  if (/^(horizontalRule|divider|delimiter)$/i.test(type)) return '---'
  if (/^code/i.test(type)) return `\`\`\`\n${String(attribute(block, 'code') ?? textOf(block))}\n\`\`\``
  if (/quote$/i.test(type)) return indented(bodyOf(block), '> ')
  return withChildren(bodyOf(block), block)
}

/** A block's own text, or the blocks that it is made of. */
function bodyOf(block: Node): string {
  const parts = nodesIn(block.content)
  return parts.some(part => Array.isArray(part.content)) ? joined(parts.map(markdownOfBlock)) : textOf(block)
}

function listItems(list: Node, ordered: boolean): string[] {
  const given = attribute(list, 'items')
  const items: unknown[] = Array.isArray(given) ? given : nodesIn(list.content)
  return items.map((item, index) => {
    const text = typeof item === 'string' ? item : isNode(item) ? itemText(item) : ''
    return `${ordered ? `${index + 1}.` : '-'} ${text.replaceAll('\n', '\n  ')}`
  })
}

function itemText(item: Node): string {
  if (typeof item.content === 'string') {
    const nested = listItems({ data: { items: item.items } }, false)
    return [item.content, ...nested].join('\n')
  }
  return nodesIn(item.content).map(markdownOfBlock).join('\n')
}

/** BlockNote nests blocks below a block. */
function withChildren(text: string, block: Node): string {
  const below = nodesIn(block.children).map(markdownOfBlock).join('\n')
  return below === '' ? text : `${text}\n${indented(below, '  ')}`
}

const indented = (text: string, by: string): string => by + text.replaceAll('\n', `\n${by}`)

function textOf(node: Node): string {
  if (typeof node.text === 'string') return node.text
  if (/^hardBreak$/i.test(String(node.type))) return '\n'
  if (typeof node.content === 'string') return node.content
  const own = attribute(node, 'text') ?? attribute(node, 'label')
  return nodesIn(node.content).map(textOf).join('') || (typeof own === 'string' ? own : '')
}
