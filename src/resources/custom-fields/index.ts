import type { Resource } from '../../kernel/resource.ts'
import { customFieldOperations, customFieldRecord } from './operations.ts'
import type { CustomField, CustomFieldInput } from './record.ts'
import { valueEndpoints } from './values.ts'

export const customFields: Resource<CustomFieldInput, CustomField> = {
  name: 'custom-fields',
  idParam: 'field_id',
  tag: 'Custom fields',
  record: customFieldRecord,
  operations: customFieldOperations,
  endpoints: valueEndpoints,
}
