/**
 * Generates both clients from openapi.json (the first argument) into a folder (the second). In a process of its own:
 * the generators import the JavaScript API of TypeScript, which TypeScript 7 no longer has, so the import is led to
 * the copy that @ts-morph/common carries.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const api = 'data:text/javascript,import common from "@ts-morph/common"; export default common.ts'
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'typescript') return { url: api, shortCircuit: true }
    return next(specifier, context.parentURL === api ? { ...context, parentURL: import.meta.url } : context)
  },
})

const [, , source, folder] = process.argv
const document = JSON.parse(readFileSync(source, 'utf8'))

const { default: openapiTypes, astToString } = await import('openapi-typescript')
writeFileSync(`${folder}/types.ts`, astToString(await openapiTypes(document)))

const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input: document,
  output: { path: `${folder}/sdk`, postProcess: [] },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
})
