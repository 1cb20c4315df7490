/** What can be wrong with a page although it looks right. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Reports violations of the policy, errors in the console, exceptions and requests to other hosts. */
export async function watchProblems(
  page: Page,
  origin: string,
  report: (problem: string) => void,
): Promise<void> {
  await page.exposeFunction('reportPolicy', (text: string) => report(`policy: ${text}`))
  await page.addInitScript(`addEventListener('securitypolicyviolation', event =>
    reportPolicy(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))`)
  page.on('console', message => {
    if (message.type() === 'error') report(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', error => report(`exception: ${error.message}`))
  page.on('request', request => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.host !== new URL(origin).host)
      report(`request to another host: ${request.url()}`)
  })
}

interface AxeFinding {
  id: string
  impact: string | null
  help: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that look at colours: the only ones whose result a dark page can change. */
const COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** Fails for every serious or critical finding of axe. In the look "dark" it checks colours only. */
export async function expectAccessible(page: Page, look?: string): Promise<void> {
  // By the debugger: the policy of the page would block a script element.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  const options = { resultTypes: ['violations'], ...(look === 'dark' ? COLOURS : {}) }
  const found = await page.evaluate<AxeFinding[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const lines = serious.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 5)
        .map(({ target }) => target.join(' '))
        .join(' | ')}`,
  )
  expect(lines, `findings of axe at ${page.url()}`).toEqual([])
}

const SCREENSHOTS = fileURLToPath(new URL('../../web/screenshots/', import.meta.url))

/** With KITH_SCREENSHOTS=true it writes web/screenshots/<name>.png, for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env.KITH_SCREENSHOTS === 'true') await page.screenshot({ path: `${SCREENSHOTS}${name}.png` })
}
