/** Writes the table of settings into the README (`npm run settings`); a test fails when it is stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { isSetting, type Setting, type SettingTable } from '../src/settings/setting.ts'
import { settings } from '../src/settings/table.ts'

const README = new URL('../README.md', import.meta.url)
const TABLE = /(?<=<!-- settings -->\n)[\s\S]*?(?=<!-- \/settings -->)/

const all = (table: SettingTable): Setting<unknown>[] =>
  Object.values(table).flatMap(part => (isSetting(part) ? [part] : all(part)))

const line = ({ names, shown, about }: Setting<unknown>): string =>
  `| ${names.map(name => `\`${name}\``).join(', ')} | ${shown} | ${about} |\n`

/** The README with the current table of settings. */
export const withTable = (readme: string): string =>
  readme.replace(TABLE, `| Setting | Default | Meaning |\n|---|---|---|\n${all(settings).map(line).join('')}`)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(README, withTable(readFileSync(README, 'utf8')))
}
