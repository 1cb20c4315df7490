/**
 * The web client in Chromium, as a person uses it, in an account with demo data. A test fails when a page breaks its
 * content security policy, logs an error, throws, or asks another host for something.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect } from 'vitest'
import { systemDb } from '../../src/kernel/context.ts'
import { openSession } from '../../src/resources/accounts/sessions.ts'
import { executablePath, sharedBrowser } from './chromium.ts'
import { type DemoAccount, demoAccount } from './demo-account.ts'
import { expectSteady, expectStill } from './page-problems.ts'
import { DESKTOP, leavePage, PHONE, takePage, type UsedPage } from './pages.ts'
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
    let used: UsedPage[] = []
    beforeAll(async () => {
      account = await demoAccount()
      browser = await sharedBrowser()
    }, SLOW.timeout)
    afterEach(async ({ task }) => {
      const found = problems
      problems = []
      const hasFailed = task.result?.state === 'fail' || found.length > 0
      await Promise.all(used.map(one => leavePage(one, hasFailed)))
      used = []
      expect(found, 'problems of the pages').toEqual([])
    })

    async function pageAt(address: string, look: Look, hasSession: boolean): Promise<Page> {
      const url = new URL(address, account.url)
      const taken = await takePage(browser, { isPhone: look.phone === true, hasSession })
      used.push(taken)
      const { page } = taken
      taken.origin = url.origin
      taken.report = problem => {
        if (!look.expected?.test(problem)) problems.push(problem)
      }
      await page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light' })
      if (hasSession) await beginSession(page.context(), account)
      await page.goto(url.href)
      return page
    }

    const open = (path: string, look: Look = {}) => pageAt(path, look, true)
    const visit = (address: string, look: Look = {}) => pageAt(address, look, false)
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

/**
 * Calls `check` with the page in light colours, in dark ones and as narrow as on a phone. What the page has shown until
 * its first look must not have jumped.
 */
export async function inEveryLook(page: Page, check: (name: string) => Promise<void>): Promise<void> {
  for (const [name, colorScheme, size] of [
    ['light', 'light', DESKTOP],
    ['dark', 'dark', DESKTOP],
    ['phone', 'light', PHONE],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await expectStill(page)
    await check(name)
    if (name === 'light') await expectSteady(page)
  }
}

/** What the form does, without hashing a password: test/web/session.slow.test.ts signs in through the form. */
async function beginSession(
  context: BrowserContext,
  { url, accountId, userId, ctx: { services } }: DemoAccount,
): Promise<void> {
  const system = { services, db: systemDb(services), inTransaction: false }
  const { refreshToken } = await openSession(system, userId, { workingIn: accountId })
  await context.addCookies([
    {
      ...{ name: 'kith', value: refreshToken, domain: new URL(url).hostname, path: '/api/session' },
      ...{ httpOnly: true, sameSite: 'Strict' },
    },
  ])
}
