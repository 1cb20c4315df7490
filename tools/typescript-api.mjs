/**
 * The client generators import the JavaScript API of TypeScript, which TypeScript 7 no longer has. After this import
 * they get the copy that @ts-morph/common carries (decision 22).
 */
import { registerHooks } from 'node:module'

const api = 'data:text/javascript,import common from "@ts-morph/common"; export default common.ts'
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'typescript') return { url: api, shortCircuit: true }
    return next(specifier, context.parentURL === api ? { ...context, parentURL: import.meta.url } : context)
  },
})
