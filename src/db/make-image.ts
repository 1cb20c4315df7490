/**
 * `npm run image`: packs a freshly initialised, still empty database, which a first start unpacks in a fraction
 * of the time that initdb takes. It belongs to one version of the engine and knows nothing of our schema, so it
 * changes only when PGlite does.
 */
import { makeImage } from './image.ts'
import { imagePath } from './image-path.ts'

await makeImage(imagePath)
