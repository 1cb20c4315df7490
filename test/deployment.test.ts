/** The files for Docker, Compose, systemd and Kubernetes, compared with the settings, the commands and each other. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { commands } from '../src/cli/commands.ts'
import { isSetting, type SettingTable } from '../src/settings/setting.ts'
import { settings } from '../src/settings/table.ts'
import { SLOW, waitFor } from './support/process.ts'
import type { Item } from './support/service.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const namesOf = (table: SettingTable): string[] =>
  Object.values(table).flatMap(part => (isSetting(part) ? part.names : namesOf(part)))
const known = new Set([...namesOf(settings), 'NODE_ENV'])
const START: string = JSON.parse(read('package.json')).scripts.start
/** Those of Node itself. */
const FLAGS = START.match(/--\S+/g) ?? []
const isCommand = (name: string | undefined) => Object.keys(commands).includes(name ?? '')

const dockerfile = read('Dockerfile').replace(/\\\n/g, ' ')
const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, rest = '']) => rest.trim())
const environment = Object.fromEntries(
  instructions('ENV').flatMap(line => line.split(' ').map(pair => pair.split('='))),
)
const manifests: Item[] = parseAllDocuments(read('deploy/kubernetes.yaml')).map(document => document.toJS())
const manifest = (kind: string): Item => manifests.find(one => one.kind === kind) ?? {}

it('the Dockerfile starts a command of this version, not as root, with its port and folder', () => {
  expect(instructions('FROM')[0]).toMatch(/^node:24-/)
  const entry: string[] = JSON.parse(instructions('ENTRYPOINT')[0] ?? '')
  expect(entry.slice(1, -1)).toEqual(FLAGS)
  expect(existsSync(new URL(entry.at(-1)?.replace('/app/', '') ?? '', root))).toBe(true)
  expect(isCommand(JSON.parse(instructions('CMD')[0] ?? '')[0])).toBe(true)
  expect(instructions('USER')).toEqual(['65532:65532'])
  for (const name of Object.keys(environment)) expect(known).toContain(name)
  expect(instructions('EXPOSE')).toEqual([environment.PORT])
  expect(instructions('VOLUME')).toEqual([environment.KITH_DATA_DIR])
  expect(instructions('HEALTHCHECK')[0]).toContain('/app/deploy/healthcheck.mjs')
})

it('the image contains what the service reads, and no tests', () => {
  const ignored = read('.dockerignore').split('\n')
  for (const path of ['src', 'bin', 'clients', 'models', 'package.json', 'openapi.json', 'deploy'])
    expect(ignored).not.toContain(path)
  // The web client is built in the image.
  const { extends: base } = JSON.parse(read('web/tsconfig.json'))
  expect(ignored).not.toContain(base.replace('../', ''))
  for (const path of ['.env', '.git', 'data', '**/node_modules', 'test']) expect(ignored).toContain(path)
  for (const [, path = ''] of dockerfile.matchAll(/^COPY (?!--)([\w./-]+)/gm))
    expect(existsSync(new URL(path, root))).toBe(true)
})

it('compose.yaml uses settings, the port and the folder of the image, and waits for the database', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true })
  const { kith, worker, db } = services
  for (const name of Object.keys(kith.environment)) expect(known).toContain(name)
  expect(kith.ports).toEqual([`127.0.0.1:8000:${environment.PORT}`])
  expect(kith.volumes).toEqual([`data:${environment.KITH_DATA_DIR}`])
  expect(Object.keys(volumes)).toEqual(['db', 'data'])
  expect(kith.depends_on.db.condition).toBe('service_healthy')
  expect(db.healthcheck.test[1]).toContain('pg_isready')
  expect(kith.environment.DATABASE_URL).toContain(`@db:5432/${db.environment.POSTGRES_DB}`)
  expect(isCommand(worker.command[0])).toBe(true)
  expect(worker.environment).toEqual(kith.environment)
})

it('the systemd unit starts the launcher as its own user and may write where the data is', () => {
  const unit = read('deploy/kith.service')
  const entryOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  const [node, ...words] = entryOf('ExecStart').split(' ')
  const [launcher, command] = words.slice(-2)
  expect(node).toBe('/usr/bin/node')
  expect(words.slice(0, -2)).toEqual(FLAGS)
  expect(launcher).toBe(`${entryOf('WorkingDirectory')}/bin/kith.mjs`)
  expect(isCommand(command)).toBe(true)
  expect(entryOf('Environment')).toContain(`KITH_DATA_DIR=/var/lib/${entryOf('StateDirectory')}`)
  expect(entryOf('User')).toBe('kith')
})

it('the Kubernetes manifest fits the image and itself', () => {
  const { spec } = manifest('Deployment')
  const pod = spec.template.spec
  const [container] = pod.containers
  expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
  expect(manifest('Service').spec.selector).toEqual(spec.selector.matchLabels)
  expect(container.ports[0].containerPort).toBe(Number(environment.PORT))
  expect(container.readinessProbe.httpGet.path).toBe('/ready')
  expect(container.livenessProbe.httpGet.path).toBe('/health')
  for (const { name } of container.env) expect(known).toContain(name)
  expect(`${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`).toBe(instructions('USER')[0])
  expect(container.volumeMounts.map((mount: Item) => mount.mountPath)).toEqual([
    environment.KITH_DATA_DIR,
    '/tmp',
  ])
  expect(pod.volumes[0].persistentVolumeClaim.claimName).toBe(manifest('PersistentVolumeClaim').metadata.name)
  expect(container.image).toMatch(new RegExp(`:${JSON.parse(read('package.json')).version}$`))
  const [path] = manifest('Ingress').spec.rules[0].http.paths
  expect(path.backend.service.name).toBe(manifest('Service').metadata.name)
})

it('docs/deploy.md names settings and files that exist', () => {
  const text = read('docs/deploy.md')
  for (const [name] of text.matchAll(/\bKITH_[A-Z_]+\b/g)) expect(known).toContain(name)
  for (const [path] of text.matchAll(/\bdeploy\/[\w.-]+\w/g))
    expect(existsSync(new URL(path, root))).toBe(true)
  for (const [, name] of text.matchAll(/`kith ([a-z]+)/g)) expect(isCommand(name)).toBe(true)
})

it('the health check succeeds when /ready does, and fails otherwise', async () => {
  let status = 200
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/ready' ? status : 404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const check = () =>
    promisify(execFile)(process.execPath, [new URL('deploy/healthcheck.mjs', root).pathname], {
      env: { PORT: String(port) },
    })
  await check()
  status = 503
  await expect(check()).rejects.toMatchObject({ code: 1 })
  await new Promise(resolve => server.close(resolve))
  await expect(check()).rejects.toMatchObject({ code: 1 })
})

/** Prints why it ends; its input ends when the test leaves it behind. */
const STUB = `process.on('SIGTERM', () => {
  console.log('stopped by the signal')
  process.exit(0)
})
process.stdin.on('end', () => {
  console.log('left behind')
  process.exit(0)
}).resume()
console.log('running')
`

it('npm start passes signals on to the service, which no shell is in front of', SLOW, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-start-'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/kith.mjs'), STUB)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: START } }))
  try {
    const npm = spawn('npm', ['start'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    npm.stdout.on('data', chunk => {
      output += chunk
    })
    const closed = once(npm, 'close')
    await waitFor(() => output.includes('running'))
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    npm.stdin.end()
    await closed
    expect(output).toContain('stopped by the signal')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
