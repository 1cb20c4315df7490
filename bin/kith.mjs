#!/usr/bin/env node
// Plain JavaScript, so that it can print an error on a Node version that cannot run TypeScript.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as modules from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { currentBundle, ROOT } from './bundle.mjs'

const WANTED = 24
const main = new URL('../src/main.ts', import.meta.url)
const bundled = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
const major = Number(process.versions.node.split('.')[0])

if (major >= WANTED) {
  // caches the stripped and compiled sources for the next start
  modules.enableCompileCache?.()
  const bundle = currentBundle(ROOT)
  await import(bundle === undefined ? main.href : pathToFileURL(bundle).href)
} else if (existsSync(bundled)) {
  const child = spawn(bundled, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  // This process only waits and forwards signals to the child. On Ctrl-C the terminal signals both processes.
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal))
  }
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
} else {
  console.error(
    `Kith needs Node.js ${WANTED} or newer, and this is ${process.version}.\n` +
      `The installation has no suitable version (none is published for ${process.platform}-${process.arch}, or npm was run\n` +
      `with --omit=optional). Install Node.js ${WANTED} and try again.`,
  )
  process.exit(1)
}
