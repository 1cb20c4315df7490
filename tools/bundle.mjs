/** Makes the bundle (bin/bundle.mjs), after `npm ci`. Without Vite, in an installation without tests, there is none. */
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { currentBundle, entryOf, ROOT, sourcesOf, stampOf } from '../bin/bundle.mjs'

/** Pure JavaScript that every start loads. Others have native parts, read files beside their code, or load late. */
const INLINED = [
  ...['fastify', '@fastify/cors', '@fastify/multipart', '@fastify/rate-limit', 'pino', 'prom-client'],
  ...['pg', 'kysely', 'jose', 'nodemailer', '@modelcontextprotocol/server'],
  ...['markdown-it', 'htmlparser2', 're2js'],
]

const packageOf = id => id.split('/', id.startsWith('@') ? 2 : 1).join('/')

function isExternal(id, importer) {
  if (/^[./#\0]|^[A-Z]:/.test(id)) return false
  if (id.startsWith('node:')) return true
  return !importer?.includes(`${sep}node_modules${sep}`) && !INLINED.includes(packageOf(id))
}

/** Workers, migrations and assets are found from the address of the module that names them. */
const ownAddresses = folder => ({
  name: 'own-addresses',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return
    const path = relative(folder, id).split(sep).join('/')
    return code.replaceAll('import.meta.url', `new URL('${path}', import.meta.url).href`)
  },
})

async function make(rolldown) {
  const sources = sourcesOf(ROOT)
  const folder = dirname(entryOf(ROOT))
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown({
    input: { kith: join(ROOT, 'src/main.ts') },
    platform: 'node',
    external: isExternal,
    plugins: [ownAddresses(folder)],
    logLevel: 'silent',
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // Node decodes a source to two bytes a character unless all of it is ASCII: 10 MB for 5 MB of text
    charset: 'ascii',
    comments: false,
  })
  await bundle.close()
  // last, so that an interrupted build does not count
  writeFileSync(stampOf(ROOT), sources)
}

/** Rolldown is the bundler inside Vite, which builds the web client. */
async function bundler() {
  try {
    const vite = createRequire(join(ROOT, 'package.json')).resolve('vite/package.json')
    return await import(pathToFileURL(createRequire(vite).resolve('rolldown')).href)
  } catch {
    return undefined
  }
}

const found = currentBundle(ROOT) === undefined ? await bundler() : undefined
if (found) await make(found.rolldown)
