/** Checks the content of a page, with a parser and in a browser. */
import { parseDocument } from 'htmlparser2'
import type { Browser } from 'playwright-core'
import { newContext } from '../../../test/support/chromium.ts'

const ELEMENTS =
  'html head meta title style body header main section footer time a h1 h2 h3 h4 h5 h6 p br strong em s u mark code pre blockquote aside ul ol li input table tbody tr th td img hr'.split(
    ' ',
  )
const ATTRIBUTES =
  'charset name content datetime href rel title src alt loading class data-type type disabled checked start align'.split(
    ' ',
  )
const LINK = /^(?:https?:|mailto:|tel:|sms:|(?![a-z][a-z0-9+.-]*:))/i
const IMAGE = /^(?:https?:|data:image\/(?:png|gif|jpeg|webp);base64,|(?![a-z][a-z0-9+.-]*:))/i

interface PageElement {
  name: string
  attributes: [string, string][]
}

/** The elements of a page that are not on the list of allowed ones. */
export const strange = (elements: readonly PageElement[]): string[] =>
  elements.flatMap(({ name, attributes }) => [
    ...(ELEMENTS.includes(name) ? [] : [name]),
    ...attributes
      .filter(([key, value]) => {
        // what browsers skip inside a scheme
        const bare = value.replace(/\p{Cc}/gu, '').trim()
        if (key === 'href') return !LINK.test(bare)
        return key === 'src' ? !IMAGE.test(bare) : !ATTRIBUTES.includes(key)
      })
      .map(([key, value]) => `${name} ${key}=${value}`),
  ])

/** Closes everything that a payload left open, so that the next one is parsed separately. */
export const APART =
  '\n\n--></script></style></svg></math></template></textarea></title></noscript></select></iframe>"\'>\n\n'

export function elementsIn(html: string): PageElement[] {
  const found: PageElement[] = []
  const open: { children?: unknown[] }[] = [parseDocument(html)]
  for (let node = open.pop(); node; node = open.pop()) {
    const { name, attribs } = node as { name?: string; attribs?: Record<string, string> }
    if (name !== undefined && !name.startsWith('!'))
      found.push({ name, attributes: Object.entries(attribs ?? {}) })
    open.push(...((node.children ?? []) as { children?: unknown[] }[]))
  }
  return found
}

interface Seen {
  elements: PageElement[]
  marked: boolean
  here: string
}

/** Run in the browser. */
const LOOK = `({
  marked: 'fired' in window,
  here: location.href,
  elements: [...document.querySelectorAll('*')].map(element => ({
    name: element.localName,
    attributes: [...element.attributes].map(({ name, value }) => [name, value]),
  })),
})`

/** Pages opened at the same time, because most of each visit is waiting. */
const TABS = 3

/** Loads pages without their content security policy, which would stop a script that the sanitizer missed. */
export async function firedOn(
  browser: Browser,
  origin: string,
  addresses: readonly string[],
): Promise<string[]> {
  const context = await newContext(browser, { bypassCSP: true })
  await context.route(
    url => url.origin !== origin,
    route => route.abort(),
  )
  const fired: string[] = []
  const left = [...addresses]
  const visit = async () => {
    const page = await context.newPage()
    page.on('dialog', async dialog => {
      fired.push(`${page.url()} opened a dialog`)
      await dialog.dismiss()
    })
    page.on('popup', () => fired.push(`${page.url()} opened a window`))
    for (let address = left.pop(); address !== undefined; address = left.pop()) {
      await page.goto(address, { waitUntil: 'load' })
      const { elements, marked, here } = await page.evaluate<Seen>(LOOK)
      if (marked) fired.push(`${address} ran a script`)
      if (here !== address) fired.push(`${address} went to ${here}`)
      fired.push(...strange(elements).map(what => `${address} holds ${what}`))
    }
  }
  await Promise.all(Array.from({ length: TABS }, visit))
  await context.close()
  return fired
}
