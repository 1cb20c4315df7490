/** What can be wrong with a page although it looks right. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export interface WatchedPage {
  page: Page
  /** requests to any other one are problems */
  origin: string
  report: (problem: string) => void
}

/** Reports violations of the policy, errors in the console, exceptions and requests to other hosts. */
export async function watchProblems(watched: WatchedPage): Promise<void> {
  const { page } = watched
  await page.exposeFunction('reportPolicy', (text: string) => watched.report(`policy: ${text}`))
  await page.addInitScript(`addEventListener('securitypolicyviolation', event =>
    reportPolicy(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))
    addEventListener('transitionrun', event => (window.transitions ??= new Set()).add(event.propertyName))`)
  page.on('console', message => {
    if (message.type() === 'error') watched.report(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', error => watched.report(`exception: ${error.message}`))
  page.on('request', request => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== watched.origin)
      watched.report(`request to another host: ${request.url()}`)
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

/** Every finding of a rule has the impact of the rule: those that fail no test take a tenth of the time. */
const LESSER_RULES_OFF = `Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => impact === 'minor' || impact === 'moderate').map(({ id }) => [id, { enabled: false }]))`

/**
 * Fails for every serious or critical finding of axe. In the look "dark" it checks colours only. A finding counts when it
 * lasts: a page whose look has just changed may still be drawing itself, and a message may be fading out.
 */
export async function expectAccessible(page: Page, look?: string): Promise<void> {
  // By the debugger: the policy of the page would block a script element.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  let findings: string[] = []
  for (let attempt = 0; attempt < 4; attempt++) {
    findings = await findingsIn(page, look)
    if (findings.length === 0) return
    await page.evaluate(DRAWN)
  }
  expect(findings, `findings of axe at ${page.url()}`).toEqual([])
}

/** The next frame has been drawn. */
const DRAWN = 'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

/**
 * Fails when a change of the page has started a transition: the browser asks for reduced motion. Axe would see colours
 * that are changing, and a change of the theme may start one for each colour of each element.
 */
export async function expectStill(page: Page): Promise<void> {
  const moved = await page.evaluate<string[]>(`${DRAWN}.then(() => [...(window.transitions ?? [])])`)
  expect(moved, `properties with transitions at ${page.url()}`).toEqual([])
}

async function findingsIn(page: Page, look: string | undefined): Promise<string[]> {
  // No rule that runs by default reads style sheets, which axe would load and parse again.
  const common = { resultTypes: ['violations'], preload: { assets: ['media'] } }
  const options = { ...common, ...(look === 'dark' ? COLOURS : {}) }
  const rules = look === 'dark' ? '{}' : `{ rules: ${LESSER_RULES_OFF} }`
  const found = await page.evaluate<AxeFinding[]>(
    `axe.run(document, { ...${JSON.stringify(options)}, ...${rules} }).then(({ violations }) => violations)`,
  )
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 5)
        .map(({ target }) => target.join(' '))
        .join(' | ')}`,
  )
}

/** What the page has moved by itself since it was opened: the score that browsers call cumulative layout shift. */
const SHIFTS = `(() => {
  const observer = new PerformanceObserver(() => {})
  observer.observe({ type: 'layout-shift', buffered: true })
  // changes of the size of the window are those of a test
  const until = (window.firstLook ??= performance.now())
  return observer.takeRecords().filter(one => !one.hadRecentInput && one.startTime <= until).map(({ value, sources }) =>
    [value, ...sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? '')].join(' | '))
})()`

/** Fails when content has jumped while the page was loading. */
export async function expectSteady(page: Page): Promise<void> {
  const shifts = await page.evaluate<string[]>(SHIFTS)
  const score = shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0)
  expect(score, `what moved at ${page.url()}: ${shifts.join('; ')}`).toBeLessThan(0.05)
}

const SCREENSHOTS = fileURLToPath(new URL('../../web/screenshots/', import.meta.url))

/** With KITH_SCREENSHOTS=true it writes web/screenshots/<name>.png, for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env.KITH_SCREENSHOTS === 'true') await page.screenshot({ path: `${SCREENSHOTS}${name}.png` })
}
