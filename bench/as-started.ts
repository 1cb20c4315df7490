import { readFileSync } from 'node:fs'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }

/** What `npm start` gives to Node: what is measured runs as it does for everybody. */
export const AS_STARTED = scripts.start
  .replace(/^exec /, '')
  .split(' ')
  .slice(1)
