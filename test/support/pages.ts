/**
 * Pages that the tests of one process use one after another. In a new context the browser starts a process and compiles
 * the web client: a list takes 3.3 s of processor time there, and 1.1 s in a page that has shown the web client before.
 */
import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { newContext } from './chromium.ts'
import { type WatchedPage, watchProblems } from './page-problems.ts'

export interface PageKind {
  /** 390 pixels wide, with touch */
  isPhone: boolean
  /** of a person who is signed in */
  hasSession: boolean
}

export interface UsedPage extends PageKind, WatchedPage {
  isInUse: boolean
}

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

/** Milliseconds by which every request of the pages is late. */
const LATENCY = Number(process.env.KITH_TEST_LATENCY ?? 0)

const pages: UsedPage[] = []

/** A page of this kind without an address, as it would be in a new browser. */
export async function takePage(browser: Browser, kind: PageKind): Promise<UsedPage> {
  const { isPhone, hasSession } = kind
  const free = pages.find(used => !used.isInUse && used.isPhone === isPhone && used.hasSession === hasSession)
  const used = free ?? (await newPage(browser, kind))
  used.isInUse = true
  await used.page.setViewportSize(isPhone ? PHONE : DESKTOP)
  return used
}

async function newPage(browser: Browser, kind: PageKind): Promise<UsedPage> {
  const context = await newContext(browser, {
    locale: 'en-GB',
    timezoneId: 'UTC',
    // nothing moves while a test looks
    reducedMotion: 'reduce',
    ...(kind.isPhone ? { isMobile: true, hasTouch: true } : {}),
  })
  if (LATENCY > 0) await answerLate(context)
  // Not again after the page has signed out, which empties it. A page without an address has no storage.
  if (kind.hasSession)
    await context.addInitScript(`if (location.protocol === 'http:') localStorage['kith.session'] ??= 'yes'`)
  const used: UsedPage = {
    ...kind,
    page: await context.newPage(),
    isInUse: true,
    origin: '',
    report: () => {},
  }
  await watchProblems(used)
  pages.push(used)
  return used
}

/**
 * Sends each request to the service late. A test that looks at the service when the page
 * shows something it only expects to happen fails here always, and on a slow machine now and then.
 */
async function answerLate(context: BrowserContext): Promise<void> {
  await context.route('**/api/**', async route => {
    await setTimeout(LATENCY)
    await route.fallback()
  })
}

/** After a test. A page that cannot be emptied, or whose test has failed, is not used again. */
export async function leavePage(used: UsedPage, hasFailed: boolean): Promise<void> {
  used.report = () => {}
  const isEmpty = !hasFailed && (await emptied(used.page).catch(() => false))
  if (isEmpty) used.isInUse = false
  else {
    pages.splice(pages.indexOf(used), 1)
    await used.page.context().close()
  }
}

async function emptied(page: Page): Promise<true> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate(`localStorage.clear(); sessionStorage.clear()`)
  await page.goto('about:blank')
  await page.mouse.move(-1, -1)
  await context.clearCookies()
  await context.clearPermissions()
  return true
}
