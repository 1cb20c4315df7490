import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { thirdParty } from '../tools/third-party.ts'

interface Locked {
  integrity?: string
  hasInstallScript?: boolean
  dev?: boolean
  link?: boolean
}

it('lists every dependency and model (npm run third-party)', () => {
  expect(readFileSync(new URL('../THIRD_PARTY.md', import.meta.url), 'utf8')).toBe(thirdParty())
})

const json = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
const packages = Object.entries<Locked>(json('package-lock.json').packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)
const WORKSPACES = ['', ...json('package.json').workspaces.map((path: string) => `${path}/`)]

it('has exact versions of all dependencies, each with its hash', () => {
  const versions = WORKSPACES.flatMap(path => {
    const { dependencies, devDependencies, optionalDependencies } = json(`${path}package.json`)
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  const isExact = ([, version]: [string, unknown]) =>
    /^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version))
  expect(versions.filter(entry => !isExact(entry))).toEqual([])
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
})

it('has no package whose install script would run in production', () => {
  const { allowScripts } = json('package.json')
  const scripted = packages.filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
  const names = scripted.map(([path]) =>
    path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  )
  expect(names.filter(name => allowScripts[name] !== false)).toEqual([])
})
