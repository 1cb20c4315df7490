/**
 * Runs the commands of a guide as its reader would: all blocks marked `sh`, in their order, in one shell. A block with a
 * file name after its language (`js receiver.mjs`) becomes that file. A block without a language, or of JSON, directly
 * after a block of commands is what these print: white space does not count, and `…` stands for anything.
 */
import { spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface Step {
  commands: string
  /** undefined: the guide does not show it */
  output: string | undefined
}

export interface Guide {
  steps: Step[]
  files: Map<string, string>
}

const FENCE = /^```(\w*) ?([\w.-]*)\n([\s\S]*?)^```\n/gm
const SEPARATOR = '\u001e'
/** Ends a guide that waits for something that does not happen. */
const PATIENCE_MS = 200_000

export function readGuide(markdown: string): Guide {
  const steps: Step[] = []
  const files = new Map<string, string>()
  let last: { step: Step; end: number } | undefined
  for (const { 0: block, 1: language, 2: name, 3: code = '', index } of markdown.matchAll(FENCE)) {
    const end = index + block.length
    if (name) files.set(name, code)
    else if (language === 'sh') {
      const step: Step = { commands: code, output: undefined }
      steps.push(step)
      last = { step, end }
    } else if (['', 'json'].includes(language ?? '') && last?.end === index) last.step.output = code
  }
  return { steps, files }
}

const launcher = fileURLToPath(new URL('../../bin/kith.mjs', import.meta.url))

/** What each step printed. The guides call the service `localhost:8000`. */
export async function runGuide(
  { steps, files }: Guide,
  folder: string,
  { url, key }: { url: string; key: string },
): Promise<string[]> {
  const here = (code: string) => code.replaceAll('localhost:8000', new URL(url).host)
  for (const [name, content] of files) writeFileSync(join(folder, name), here(content))
  const kith = join(folder, 'kith')
  writeFileSync(kith, `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`)
  chmodSync(kith, 0o755)
  const script = steps.map(({ commands }) => `${here(commands)}\nprintf '${SEPARATOR}'\n`)
  const child = spawn('bash', ['-c', `set -euo pipefail\n${script.join('')}`], {
    cwd: folder,
    env: {
      PATH: [folder, join(process.execPath, '..'), process.env.PATH].join(':'),
      HOME: folder,
      KITH_URL: url,
      KITH_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // a group of its own, so that programs that it leaves behind can be ended
    detached: true,
  })
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // nothing was left behind
    }
  }
  const patience = setTimeout(end, PATIENCE_MS)
  // Programs in the background hold the pipes open.
  const ended = new Promise<number | null>(resolve => child.on('exit', resolve)).finally(end)
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  clearTimeout(patience)
  const outputs = stdout.split(SEPARATOR)
  if (code !== 0) throw new Error(`step ${outputs.length} ended with ${code}: ${stderr}\n${outputs.at(-1)}`)
  return outputs.slice(0, -1)
}

/** A pattern for what a guide shows. */
export const shown = (output: string): RegExp => {
  const parts = bare(output).split('…')
  return new RegExp(`^${parts.map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[^]*')}$`)
}

export const bare = (output: string): string => output.replace(/\s+/g, '')
