/**
 * The web client in Chromium, as a person uses it, in an account with demo data. A test fails when a page breaks its
 * content security policy, logs an error, throws, or asks another host for something.
 */
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { executablePath } from './chromium.ts'
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
  /** A page of the owner, who has signed in through the form, at this address. */
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
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] })
    }, SLOW.timeout)
    afterAll(() => browser?.close())
    afterEach(async () => {
      const found = problems
      problems = []
      await Promise.all(browser.contexts().map(context => context.close()))
      expect(found, 'problems of the pages').toEqual([])
    })

    async function visit(address: string, look: Look = {}): Promise<Page> {
      const url = new URL(address, account.url)
      const page = await newPage(browser, look)
      await watchProblems(page, url.origin, problem => {
        if (!look.expected?.test(problem)) problems.push(problem)
      })
      await page.goto(url.href)
      return page
    }

    async function open(path: string, look: Look = {}): Promise<Page> {
      const page = await visit(`/sign-in?next=${encodeURIComponent(path)}`, look)
      await signIn(page, account)
      await page.waitForURL(url => url.pathname === new URL(path, account.url).pathname)
      return page
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

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

async function newPage(browser: Browser, { dark, phone }: Look): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: dark ? 'dark' : 'light',
    // nothing moves while a test looks
    reducedMotion: 'reduce',
    ...(phone ? PHONE : {}),
  })
  // only ends what would never end: how long something takes depends on the machine
  context.setDefaultTimeout(60_000)
  return context.newPage()
}
