/**
 * HTML → htmlparser2's tree, without elements that contain no text (scripts, styles, drawings). It need not match a
 * browser's tree: the HTML itself is not passed on, the writers generate their own from the tree. Decision 13 says why
 * this is not parse5.
 */
import { DomHandler, Parser } from 'htmlparser2'
import { lookup } from '../../../kernel/lookup.ts'

export type Node = DomHandler['dom'][number]
export type Element = Extract<Node, { attribs: unknown }>

/**
 * Deeper elements become empty children of the last level, and their text goes there. The parser moves and searches
 * the open elements at most tags, so without a bound its time would grow with the square of the length.
 */
const MAX_DEPTH = 60

export const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const DROPPED = names(
  'script style template noscript svg math head title iframe object embed applet textarea select xmp noembed noframes plaintext audio video canvas frameset',
)

/**
 * End tags that HTML lets authors omit: what an opening tag ends, and where the search for it stops. The parser does
 * this for the innermost element only, but a cell may end with an open paragraph.
 */
const ENDS = lookup<readonly [ended: ReadonlySet<string>, scope: ReadonlySet<string>]>({
  li: [names('li'), names('ul ol menu dir')],
  dt: [names('dt dd'), names('dl')],
  dd: [names('dt dd'), names('dl')],
  td: [names('td th'), names('tr table')],
  th: [names('td th'), names('tr table')],
  tr: [names('tr'), names('table')],
  thead: [names('thead tbody tfoot tr'), names('table')],
  tbody: [names('thead tbody tfoot tr'), names('table')],
  tfoot: [names('thead tbody tfoot tr'), names('table')],
})

class Tree extends DomHandler {
  get depth(): number {
    return this.tagStack.length - 1
  }

  /** The open elements that a tag of this name ends, from the innermost on. */
  endedBy(name: string): Element[] {
    const [ended, scope] = ENDS[name] ?? []
    const open = this.tagStack.slice(1).filter(isElement).reverse()
    const end = open.findIndex(element => scope?.has(element.name))
    return open.slice(0, end === -1 ? open.length : end).filter(element => ended?.has(element.name))
  }

  override onclosetag(): void {
    const closed = this.tagStack.at(-1)
    super.onclosetag()
    if (closed && isElement(closed) && DROPPED.has(closed.name)) this.tagStack.at(-1)?.children.pop()
  }

  override oncomment(): void {}

  override onprocessinginstruction(): void {}
}

class BoundedParser extends Parser {
  readonly #tree: Tree
  readonly #html: string
  /** of the tag that is being opened; 0 otherwise */
  #depth = 0

  constructor(tree: Tree, html: string, decodeEntities: boolean) {
    super(tree, { decodeEntities })
    this.#tree = tree
    this.#html = html
  }

  override onopentagname(start: number, end: number): void {
    const tagStart = this.startIndex
    for (const { name, startIndex } of this.#tree.endedBy(this.#html.slice(start, end).toLowerCase())) {
      // The parser reads the name to close from the text, so it is shown the element's own tag, behind its `<`.
      const at = (startIndex ?? 0) + 1
      this.onclosetag(at, at + name.length)
    }
    this.startIndex = tagStart
    this.#depth = this.#tree.depth
    super.onopentagname(start, end)
  }

  override onclosetag(start: number, end: number): void {
    this.#depth = 0
    super.onclosetag(start, end)
  }

  /** A dropped element may be one level deeper: otherwise its text would become text of its parent. */
  protected override isVoidElement(name: string): boolean {
    return super.isVoidElement(name) || this.#depth >= MAX_DEPTH + (DROPPED.has(name) ? 1 : 0)
  }
}

export const isElement = (node: object): node is Element => 'attribs' in node

/** `references`: whether character references are decoded or left unchanged. */
export function htmlTree(html: string, references: 'decoded' | 'verbatim' = 'decoded'): Node[] {
  const tree = new Tree(undefined, { withStartIndices: true })
  new BoundedParser(tree, html, references === 'decoded').end(html)
  return tree.dom
}
