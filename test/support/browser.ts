/**
 * The web client in Chromium, as a person uses it, in an account with demo data. A test fails when a page breaks its
 * content security policy, logs an error, throws, or asks another host for something.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect } from 'vitest'
import { executablePath, sharedBrowser } from './chromium.ts'
import { type DemoAccount, demoAccount } from './demo-account.ts'
import { watchProblems } from './page-problems.ts'
import { SLOW } from './process.ts'

export interface Look {
  dark?: boolean
  /** 390 pixels wide, with touch */
  phone?: boolean
  /** problems that the test causes itself, such as a refused request */
  expected?: RegExp
}

export interface Site extends DemoAccount {
  /** A page of the owner, who has signed in, at this address. */
  open(path: string, look?: Look): Promise<Page>
  /** A page of a person who is not signed in. The address may be one of another service. */
  visit(address: string, look?: Look): Promise<Page>
}

export const SKIPPED =
  'No Chromium is installed, so the tests of the web client are skipped: install it or set CHROMIUM.'

/** Declares tests of the web client. They share a browser and an account, which is new for each call of this. */
export function inBrowser(name: string, tests: (site: () => Site) => void): void {
  if (executablePath === undefined) console.warn(SKIPPED)
  describe.skipIf(executablePath === undefined)(`${name} in a browser`, SLOW, () => {
    let browser: Browser
    let account: DemoAccount
    let problems: string[] = []
    beforeAll(async () => {
      account = await demoAccount()
      browser = await sharedBrowser()
    }, SLOW.timeout)
    afterEach(async () => {
      const found = problems
      problems = []
      await Promise.all(browser.contexts().map(context => context.close()))
      expect(found, 'problems of the pages').toEqual([])
    })

    async function pageAt(context: BrowserContext, address: string, { expected }: Look): Promise<Page> {
      const url = new URL(address, account.url)
      const page = await context.newPage()
      await watchProblems(page, url.origin, problem => {
        if (!expected?.test(problem)) problems.push(problem)
      })
      await page.goto(url.href)
      return page
    }

    const visit = async (address: string, look: Look = {}) =>
      pageAt(await newContext(browser, look), address, look)

    async function open(path: string, look: Look = {}): Promise<Page> {
      const context = await newContext(browser, look)
      await beginSession(context, account)
      return pageAt(context, path, look)
    }

    tests(() => ({ ...account, open, visit }))
  })
}

/** Through the form of the page that is open. */
export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/**
 * Calls `check` with the page in light colours, in dark ones and as narrow as on a phone. Loading it again takes 0.35 s
 * of processor time, opening another one 0.8 s.
 */
export async function inEveryLook(page: Page, check: (name: string) => Promise<void>): Promise<void> {
  for (const [name, colorScheme, size] of [
    ['light', 'light', DESKTOP],
    ['dark', 'dark', DESKTOP],
    ['phone', 'light', PHONE.viewport],
  ] as const) {
    const scheme = `(prefers-color-scheme: ${colorScheme})`
    if (!(await page.evaluate(`innerWidth === ${size.width} && matchMedia('${scheme}').matches`))) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(size)
      // Axe would see colours that are changing.
      await page.reload()
    }
    await check(name)
  }
}

/** What the form does, without a second page: test/web/session.test.ts signs in through the form. */
async function beginSession(
  context: BrowserContext,
  { url, email, password }: { url: string; email: string; password: string },
): Promise<void> {
  const { status, text } = await context.request
    .post(`${url}/api/session`, { data: { email, password }, headers: { 'x-kith-session': '1' } })
    .then(async answer => ({ status: answer.status(), text: await answer.text() }))
  if (status !== 200) throw new Error(`signing in answered ${status}: ${text}`)
  // Not again after the page has signed out, which empties it. A page without an address has no storage.
  await context.addInitScript(`if (location.protocol === 'http:') localStorage['kith.session'] ??= 'yes'`)
}

async function newContext(browser: Browser, { dark, phone }: Look): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: dark ? 'dark' : 'light',
    // nothing moves while a test looks
    reducedMotion: 'reduce',
    ...(phone ? PHONE : {}),
  })
  // only ends what would never end: how long something takes depends on the machine
  context.setDefaultTimeout(60_000)
  return context
}
