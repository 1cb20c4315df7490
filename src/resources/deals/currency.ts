import { rule, type Schema, text } from '../../kernel/schema/index.ts'
import { isCurrencyCode } from '../../lib/numbers/currency-codes.ts'

const inner = rule(text({ min: 3, max: 3, pattern: /^[A-Za-z]{3}$/ }), value =>
  isCurrencyCode(value) ? undefined : 'this is no currency code of ISO 4217',
)

/** A currency code in any case; returned in capitals. */
export const currency: Schema<string> = {
  ...inner,
  json: { ...inner.json, description: 'ISO 4217; default: the currency of the account', examples: ['EUR'] },
  check(input, loc, issues) {
    const before = issues.length
    const value = inner.check(input, loc, issues)
    return issues.length === before ? value.toUpperCase() : value
  },
}
