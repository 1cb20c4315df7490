/** The inline content of a markdown block, as markdown-it reads it → pieces: text with marks, breaks, images. */
import type { Env, MarkdownIt, Token } from 'markdown-it'
import { image, MARK_ORDER, type Mark, type MarkType, text } from './node.ts'
import type { Piece } from './pieces.ts'
import { imageSource, linkTarget } from './urls.ts'
import { textIn } from './values.ts'

/** Tags for marks that markdown has no signs for, and for places where its signs would be misread. */
const TAGS: Record<string, MarkType> = {
  ...{ u: 'underline', ins: 'underline', mark: 'highlight' },
  ...{ strong: 'bold', b: 'bold', em: 'italic', i: 'italic', s: 'strike', del: 'strike' },
}
const TAG = /<(\/?)(u|ins|mark|strong|b|em|i|s|del|br)\s{0,10}\/?>/iy

/**
 * Sets which addresses and tags markdown-it reads. All other HTML remains text, and so does an address that is not
 * allowed. An image may have a longer address than a link, because it may contain its bytes, so links are checked again
 * below.
 */
export function readInlines(md: MarkdownIt): void {
  md.normalizeLink = address => imageSource(address) ?? ''
  md.validateLink = address => address !== ''
  md.normalizeLinkText = address => address
  md.inline.ruler.before('autolink', 'mark_tag', (state, silent) => {
    TAG.lastIndex = state.pos
    const [whole, slash, tagName = ''] = TAG.exec(state.src) ?? []
    if (whole === undefined) return false
    if (!silent) {
      const name = tagName.toLowerCase()
      if (name === 'br') state.push('hardbreak', 'br', 0)
      else state.push(slash === '' ? 'mark_open' : 'mark_close', name, 0)
    }
    state.pos += whole.length
    return true
  })
}

export function inlinesOf(md: MarkdownIt, source: string, env: Env): Piece[] {
  const tokens: Token[] = []
  md.inline.parse(source, md, env, tokens)
  return piecesOf(tokens)
}

/** Converts the tokens; each text gets the marks that are open. */
function piecesOf(tokens: readonly Token[]): Piece[] {
  const depth = new Map<MarkType, number>()
  let link: Mark | undefined
  /** the text after a link that remains text */
  let unlinked = ''
  let marks: Mark[] = []
  const settle = () => {
    marks = MARK_ORDER.flatMap((type): Mark[] =>
      type === 'link' ? (link ? [link] : []) : depth.get(type) ? [{ type }] : [],
    )
  }
  const pieces: Piece[] = []
  const add = (words: string) => {
    if (words !== '') pieces.push(text(words, marks))
  }
  for (const token of tokens) {
    switch (token.type) {
      case 'link_open':
        link = linkOf(token)
        unlinked = link ? '' : `](${attribute(token, 'href')})`
        if (!link) add('[')
        settle()
        break
      case 'link_close':
        link = undefined
        settle()
        add(unlinked)
        break
      case 'image':
        if (attribute(token, 'src') === '') add(`![${token.content}]()`)
        else pieces.push(imageOf(token))
        break
      case 'hardbreak':
        pieces.push({ type: 'hardBreak' })
        break
      case 'softbreak':
        add(' ')
        break
      case 'code_inline':
        pieces.push(text(token.content, [...marks, { type: 'code' }]))
        break
      case 'text':
      case 'text_special':
        add(token.content)
        break
      default: {
        const type = TAGS[token.tag]
        if (type === undefined) break
        const change = token.type.endsWith('_open') ? 1 : -1
        depth.set(type, Math.max(0, (depth.get(type) ?? 0) + change))
        settle()
      }
    }
  }
  return pieces
}

const attribute = (token: Token, name: string): string => textIn(token.attrGet(name))

function linkOf(token: Token): Mark | undefined {
  const href = linkTarget(attribute(token, 'href'))
  const title = attribute(token, 'title')
  return href === undefined
    ? undefined
    : { type: 'link', attrs: { href, ...(title === '' ? {} : { title }) } }
}

/** The alternative text is the plain text of what is between the brackets. */
function imageOf(token: Token): Piece {
  const alt = piecesOf(token.children ?? [])
    .map(piece => ('text' in piece ? piece.text : 'attrs' in piece ? piece.attrs.alt : ' '))
    .join('')
  return image(attribute(token, 'src'), alt, attribute(token, 'title'))
}
