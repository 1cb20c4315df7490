import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The Chromium of the system, or undefined where none is installed. */
export const executablePath = [
  process.env.CHROMIUM,
  ...[
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find(path => path !== undefined && existsSync(path))

let launched: Promise<Browser> | undefined

/** The browser of this process, for all files of tests that run in it. Open contexts, and close those. */
export function sharedBrowser(): Promise<Browser> {
  // its microphone hears a beep each second
  const args = ['--no-sandbox', '--use-fake-device-for-media-stream']
  launched ??= chromium.launch({ executablePath: executablePath ?? '', args })
  return launched
}
