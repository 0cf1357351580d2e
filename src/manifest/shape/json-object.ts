import * as z from 'zod';
import type { JsonValue } from '../../kernel/json.ts';

// The document was checked to be JSON before any shape sees it, so a member can be nothing else.
const jsonValue = z.unknown() as z.ZodType<JsonValue>;

/** Any JSON object. */
export const jsonObject = z.record(z.string(), jsonValue);
