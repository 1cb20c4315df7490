/** `kith doctor`: what is wrong with this installation, and what to do. */
import { ConfigError, loadConfig } from '../../config.ts'
import { command, json } from '../command.ts'
import { printJson } from '../output.ts'
import { type Finding, failure } from './finding.ts'

const MARKS = { ok: 'ok  ', warning: 'warn', failure: 'FAIL' } as const

export const doctor = command({
  summary: 'checks the installation and says what to do',
  about:
    'Checks Node, the settings, the database (version, privileges, pool mode, schema, clock), the disk, the models and mail. Changes nothing. Exit code 1 if a check fails.',
  options: { json },
  examples: ['kith doctor', 'kith doctor --json'],
  async run({ values }) {
    const findings = await examine()
    if (values.json) printJson(findings)
    else console.log(findings.map(line).join('\n'))
    if (findings.some(({ state }) => state === 'failure')) process.exitCode = 1
  },
})

async function examine(): Promise<Finding[]> {
  const { checkDisk, checkMail, checkModels, checkNode } = await import('./surroundings.ts')
  const { checkDatabase } = await import('./database.ts')
  try {
    const config = loadConfig()
    const checks = [checkDatabase, checkDisk, checkModels, checkMail].map(check => check(config))
    return [checkNode(), ...(await Promise.all(checks)).flat()]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [checkNode(), failure('settings', error.message, 'Correct it in the environment or in .env.')]
  }
}

const line = ({ subject, state, text, advice }: Finding): string =>
  `${MARKS[state]}  ${subject.padEnd(14)}  ${text}${advice === undefined ? '' : `\n${' '.repeat(22)}→ ${advice}`}`
