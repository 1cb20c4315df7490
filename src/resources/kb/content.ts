/**
 * A page's content as blocks, as markdown and as HTML. Blocks come in two families: ProseMirror or Tiptap
 * (`{"type": "doc", "content": […]}`), and `{"blocks": […]}` as BlockNote and Editor.js write it.
 */
import { blocksOfBlocks } from './content/from-blocks.ts'
import { blocksOfDocument } from './content/from-document.ts'
import { blocksOfHtml } from './content/from-html.ts'
import { blocksOfMarkdown } from './content/from-markdown.ts'
import type { Block } from './content/node.ts'
import { blocksToHtml } from './content/to-html.ts'
import { blocksToMarkdown } from './content/to-markdown.ts'

export type Content = Record<string, unknown>

export const emptyContent = (): Content => ({ type: 'doc', content: [] })

/** Why a content is invalid, or undefined. */
export function contentProblem(content: Content): string | undefined {
  const isDocument =
    content.type === 'doc' && (content.content === undefined || Array.isArray(content.content))
  return isDocument || Array.isArray(content.blocks)
    ? undefined
    : 'content must be {"type": "doc", "content": […]} or {"blocks": […]}'
}

const blocksOf = (content: Content): Block[] =>
  Array.isArray(content.blocks) ? blocksOfBlocks(content.blocks) : blocksOfDocument(content.content)

export const markdownOf = (content: Content): string => blocksToMarkdown(blocksOf(content))

export const htmlOf = (content: Content): string => blocksToHtml(blocksOf(content))

export const contentOf = (markdown: string): Content => ({ type: 'doc', content: blocksOfMarkdown(markdown) })

export const contentOfHtml = (html: string): Content => ({ type: 'doc', content: blocksOfHtml(html) })
