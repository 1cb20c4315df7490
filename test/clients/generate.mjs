/** Generates both clients from openapi.json (the first argument) into a folder (the second), in a process of its own. */
import { readFileSync, writeFileSync } from 'node:fs'
import '../../tools/typescript-api.mjs'

const [, , source, folder] = process.argv
const document = JSON.parse(readFileSync(source, 'utf8'))

const { default: openapiTypes, astToString } = await import('openapi-typescript')
writeFileSync(`${folder}/types.ts`, astToString(await openapiTypes(document)))

const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input: document,
  // Node runs the result without a build
  output: { path: `${folder}/sdk`, postProcess: [], module: { extension: '.ts' } },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
})
