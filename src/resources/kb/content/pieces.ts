/** A sequence of text and images → blocks. */
import { type Block, type Image, type Inline, paragraph, tidied } from './node.ts'

export type Piece = Inline | Image

/** An image is a block, so the text before and after it becomes separate paragraphs. */
export function paragraphsOf(pieces: readonly Piece[]): Block[] {
  const blocks: Block[] = []
  let words: Inline[] = []
  const end = () => {
    const content = tidied(words)
    if (content.length > 0) blocks.push(paragraph(content))
    words = []
  }
  for (const piece of pieces) {
    if (piece.type === 'image') {
      end()
      blocks.push(piece)
    } else words.push(piece)
  }
  end()
  return blocks
}

export function headingOf(pieces: readonly Piece[], level: number): Block[] {
  const images = pieces.filter(piece => piece.type === 'image')
  const content = tidied(pieces.filter(piece => piece.type !== 'image'))
  if (content.length === 0 && images.length > 0) return images
  return [{ type: 'heading', attrs: { level }, ...(content.length > 0 ? { content } : {}) }, ...images]
}

/** The language of a code block, if it has one. */
export const languageOf = (info: unknown): string | null =>
  (typeof info === 'string' && /^\s*([\w+#.-]{1,50})/.exec(info)?.[1]) || null
