import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

/** The Chromium of the system, or undefined where none is installed. */
export const executablePath = [
  process.env.CHROMIUM,
  ...[
    // without windows and what belongs to them: its main process takes half the processor time of Chromium's
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find(path => path !== undefined && existsSync(path))

/** Only ends what would never end: how long something takes depends on the machine. The default is 30 s. */
const timeout = 120_000

let launched: Promise<Browser> | undefined

/** The browser of this process, for all files of tests that run in it. */
export function sharedBrowser(): Promise<Browser> {
  // Its microphone hears a beep each second. Without a window, the shell cannot ask for it and refuses.
  const media = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
  const args = ['--no-sandbox', ...media]
  launched ??= chromium.launch({ executablePath: executablePath ?? '', args, timeout })
  return launched
}

/** What a test opens in the browser, and closes. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(timeout)
  return context
}
