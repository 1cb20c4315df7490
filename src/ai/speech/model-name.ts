/** Of the model that comes with the service; apart, so that naming it does not load it. */
export const MODEL = 'moonshine-tiny-int8'
