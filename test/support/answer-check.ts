/** Whether an answer is what the OpenAPI document says the operation answers. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { document, type Operation } from './openapi.ts'
import type { RawAnswer } from './raw-client.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ajv = new Ajv2020({
  strict: false,
  formats: {
    uuid: UUID,
    date: /^\d{4,6}-\d\d-\d\d$/,
    'date-time': /^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    email: /^\S+@\S+$/,
    uri: true,
    binary: true,
    int32: true,
    int64: true,
    double: true,
  },
})
/** The references in a schema are relative to the document. */
const absolute = (schema: string): object => JSON.parse(schema.replaceAll('"#/', '"openapi#/'))

// Each under the name that refers to it: Ajv compiles what is found within a larger schema again for every reference.
for (const [name, schema] of Object.entries(document.components.schemas ?? {}))
  ajv.addSchema(absolute(JSON.stringify(schema)), `openapi#/components/schemas/${name}`)

/** By text: many operations have the same schema, each its own copy. */
const compiled = new Map<string, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile(absolute(text))
  compiled.set(text, validate)
  return validate
}

/** What is wrong with the answer, or undefined. */
export function answerProblem(
  operation: Operation,
  { status, headers, text }: RawAnswer,
): string | undefined {
  if (status === 304) return undefined
  const responses = operation.responses
  const response = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`]
  if (!response) return `answers ${status}, which is not documented`
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
  const content = response.content?.[type] ?? response.content?.['*/*']
  if (!content) {
    const isError = status >= 400 && type === 'text/html'
    return isError || !response.content
      ? undefined
      : `answers ${status} as ${type || 'nothing'}, which is not documented`
  }
  if (type !== 'application/json') return undefined
  const validate = validatorOf(content.schema)
  if (validate(JSON.parse(text))) return undefined
  const [error] = validate.errors ?? []
  return `answers ${status} with ${error?.instancePath} that ${error?.message}: ${text.slice(0, 300)}`
}
