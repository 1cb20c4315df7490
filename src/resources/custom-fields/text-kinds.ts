/** Texts of a kind: addresses of pages and phone numbers. */
import { type Schema, text } from '../../kernel/schema/index.ts'

/** The same schema with another check. */
export const derived = <T>(inner: Schema<T>, check: Schema<T>['check']): Schema<T> => ({ ...inner, check })

export const url: Schema<string> = derived(text(), (input, loc, issues) => {
  const address = String(input)
  if (!URL.canParse(address) || /\s/.test(address)) {
    const error = /^[a-z][a-z0-9+.-]*:/i.test(address) ? 'invalid format' : 'relative URL without a base'
    issues.push({
      type: 'url_parsing',
      loc,
      msg: `Input should be a valid URL, ${error}`,
      input,
      ctx: { error },
    })
  } else if (!/^https?:$/.test(new URL(address).protocol)) {
    const expected_schemes = "'http' or 'https'"
    const msg = `URL scheme should be ${expected_schemes}`
    issues.push({ type: 'url_scheme', loc, msg, input, ctx: { expected_schemes } })
  }
  return address
})

const PHONE = /^\+?[0-9 ().\-/]*[0-9][0-9 ().\-/]*(?:(?:x|ext\.?|#) ?[0-9]{1,10})?$/i

export const phone: Schema<string> = derived(text(), (input, loc, issues) => {
  const value = String(input)
  if (!PHONE.test(value)) {
    const msg = 'Value error, this is not a phone number'
    issues.push({ type: 'value_error', loc, msg, input, ctx: { error: {} } })
  }
  return value
})
