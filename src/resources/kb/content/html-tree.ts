/**
 * HTML → a plain tree, without what nobody reads (scripts, styles, drawings). It need not read everything as a
 * browser would: nothing of it is passed on, writers make their own HTML of what was understood. No step takes
 * longer than the nesting is deep, and that is bounded.
 */
import { Tokenizer } from 'htmlparser2'
import { lookup } from '../../../kernel/lookup.ts'

export interface Element {
  name: string
  attrs: Map<string, string>
  children: (Element | string)[]
  /** whether a block stands somewhere in it */
  hasBlock: boolean
}

/** What lies deeper hangs on the last level. */
const MAX_DEPTH = 60
const MAX_ATTRIBUTES = 50

const words = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const DROPPED = words(
  'script style template noscript svg math head title iframe object embed applet textarea select xmp noembed noframes plaintext audio video canvas frameset',
)
const VOID = words('br hr img input meta link base area col source track wbr param embed keygen')
export const BLOCKS = words(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul caption',
)

/** What an opening tag ends, and where the search for it stops. */
const ENDS = lookup<readonly [closed: ReadonlySet<string>, until: ReadonlySet<string>]>({
  li: [words('li'), words('ul ol menu dir')],
  dt: [words('dt dd'), words('dl')],
  dd: [words('dt dd'), words('dl')],
  td: [words('td th'), words('tr table')],
  th: [words('td th'), words('tr table')],
  tr: [words('tr td th'), words('table')],
  thead: [words('thead tbody tfoot tr td th'), words('table')],
  tbody: [words('thead tbody tfoot tr td th'), words('table')],
  tfoot: [words('thead tbody tfoot tr td th'), words('table')],
})
const PARAGRAPH = words('p')
const SCOPES = words('table td th li blockquote div section article body')

interface Builder {
  root: Element
  stack: Element[]
  /** the dropped element that the reader is in, and how often it was opened */
  dropped: string
  droppedDepth: number
}

const element = (name: string, attrs = new Map<string, string>()): Element => ({
  name,
  attrs,
  children: [],
  hasBlock: false,
})

/** `references`: whether character references become characters, or stay as they were written. */
export function htmlTree(html: string, references: 'decoded' | 'kept' = 'decoded'): Element {
  const root = element('#root')
  const builder: Builder = { root, stack: [root], dropped: '', droppedDepth: 0 }
  let name = ''
  let attribute = ''
  let value = ''
  let attrs = new Map<string, string>()
  const open = (selfClosing: boolean) => openTag(builder, name, attrs, selfClosing)
  const tokenizer = new Tokenizer(
    { decodeEntities: references === 'decoded' },
    {
      ontext: (from, to) => addText(builder, html.slice(from, to)),
      ontextentity: code => addText(builder, String.fromCodePoint(code)),
      onopentagname: (from, to) => {
        name = html.slice(from, to).toLowerCase()
        attrs = new Map()
      },
      onattribname: (from, to) => {
        attribute = html.slice(from, to).toLowerCase()
        value = ''
      },
      onattribdata: (from, to) => {
        value += html.slice(from, to)
      },
      onattribentity: code => {
        value += String.fromCodePoint(code)
      },
      onattribend: () => {
        if (attrs.size < MAX_ATTRIBUTES && !attrs.has(attribute)) attrs.set(attribute, value)
      },
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (from, to) => closeTag(builder, html.slice(from, to).trim().toLowerCase()),
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return root
}

function addText(builder: Builder, text: string): void {
  if (builder.dropped === '') builder.stack.at(-1)?.children.push(text)
}

function openTag(builder: Builder, name: string, attrs: Map<string, string>, selfClosing: boolean): void {
  if (builder.dropped !== '') {
    if (name === builder.dropped && !selfClosing) builder.droppedDepth++
    return
  }
  if (DROPPED.has(name)) {
    if (!VOID.has(name) && !(selfClosing && (name === 'svg' || name === 'math'))) {
      builder.dropped = name
      builder.droppedDepth = 1
    }
    return
  }
  endImplied(builder, name)
  const made = element(name, attrs)
  builder.stack.at(-1)?.children.push(made)
  if (BLOCKS.has(name)) {
    for (let at = builder.stack.length - 1; at >= 0; at--) {
      const around = builder.stack[at]
      if (!around || around.hasBlock) break
      around.hasBlock = true
    }
  }
  if (!VOID.has(name) && builder.stack.length < MAX_DEPTH) builder.stack.push(made)
}

function endImplied({ stack }: Builder, name: string): void {
  const rule = ENDS[name]
  if (rule) closeAll(stack, rule[0], rule[1])
  else if (BLOCKS.has(name)) closeAll(stack, PARAGRAPH, SCOPES)
}

/** Closes the outermost open element of these names that stands inside the scope. */
function closeAll(stack: Element[], names: ReadonlySet<string>, until: ReadonlySet<string>): void {
  let outermost = stack.length
  for (let at = stack.length - 1; at > 0; at--) {
    const name = stack[at]?.name ?? ''
    if (until.has(name)) break
    if (names.has(name)) outermost = at
  }
  stack.length = outermost
}

function closeTag(builder: Builder, name: string): void {
  const { stack } = builder
  if (builder.dropped !== '') {
    if (name === builder.dropped && --builder.droppedDepth === 0) builder.dropped = ''
    return
  }
  if (name === 'br') openTag(builder, 'br', new Map(), true)
  for (let at = stack.length - 1; at > 0; at--) {
    if (stack[at]?.name === name) {
      stack.length = at
      return
    }
  }
}

/** All words below, as they stand. */
export const rawText = (node: Element | string): string =>
  typeof node === 'string' ? node : node.name === 'br' ? '\n' : node.children.map(rawText).join('')
