/**
 * HTML of a mail for display in a browser, rewritten from the parsed tree with the usual elements, attributes and
 * styles of mails only. The result cannot run, load or send anything by itself.
 */
import { htmlTree, type Node } from '../kb/content/html-tree.ts'
import { safeHref, safeImage } from '../kb/content/urls.ts'
import { decodeEntities, escapeHtml } from './entities.ts'

const words = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const ELEMENTS = words(
  'a abbr address article aside b big blockquote br caption center cite code col colgroup dd del details div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr',
)
const VOID = words('br hr img col wbr')
const ATTRIBUTES = words(
  'align alt bgcolor border cellpadding cellspacing color colspan dir face height lang role rowspan size start title valign width',
)
const STYLES = words(
  'background-color border border-bottom border-collapse border-color border-left border-radius border-right border-spacing border-style border-top border-width color direction display font font-family font-size font-style font-weight height letter-spacing line-height list-style-type margin margin-bottom margin-left margin-right margin-top max-width min-width padding padding-bottom padding-left padding-right padding-top text-align text-decoration text-indent text-transform vertical-align white-space width word-break',
)
const STYLE_VALUE = /^[\w\s#%.,'"()!+-]{1,200}$/
const STYLE_FUNCTION = /^(?:rgb|rgba|hsl|hsla)$/i

export const safeHtml = (html: string): string => htmlTree(html, 'verbatim').map(htmlOf).join('')

/** Character references stay unchanged; characters that could begin a tag are escaped. */
const escapedText = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Of an element that is not allowed, the text remains. */
function htmlOf(node: Node): string {
  if (!('attribs' in node)) return 'data' in node ? escapedText(node.data) : ''
  const inside = node.children.map(htmlOf).join('')
  if (!ELEMENTS.has(node.name)) return inside
  const attributes = Object.entries(node.attribs).map(([name, value]) => attribute(node.name, name, value))
  const open = `<${node.name}${attributes.join('')}>`
  return VOID.has(node.name) ? open : `${open}${inside}</${node.name}>`
}

function attribute(element: string, name: string, value: string): string {
  const allowed = allowedValue(element, name, decodeEntities(value))
  return allowed === undefined ? '' : ` ${name}="${escapeHtml(allowed)}"`
}

function allowedValue(element: string, name: string, value: string): string | undefined {
  if (name === 'href') return element === 'a' ? safeHref(value) : undefined
  if (name === 'src') return element === 'img' ? safeImage(value) : undefined
  if (name === 'style') return safeStyle(value)
  return ATTRIBUTES.has(name) ? value : undefined
}

function safeStyle(style: string): string | undefined {
  const allowed = style
    .split(';')
    .map(declaration => declaration.split(':').map(part => part.trim()))
    .filter(
      ([name = '', value, ...rest]) =>
        STYLES.has(name.toLowerCase()) && isSafeStyle(value ?? '') && rest.length === 0,
    )
    .map(([name = '', value]) => `${name.toLowerCase()}: ${value}`)
  return allowed.length === 0 ? undefined : allowed.join('; ')
}

const isSafeStyle = (value: string): boolean =>
  STYLE_VALUE.test(value) &&
  [...value.matchAll(/([\w-]*)\s*\(/g)].every(([, name = '']) => STYLE_FUNCTION.test(name))
