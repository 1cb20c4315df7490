import { existsSync } from 'node:fs'

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
