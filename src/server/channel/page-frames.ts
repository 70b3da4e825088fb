import * as v from 'valibot';

import { parseJson } from '../../lib/json.ts';

/** What a page may say in a text frame. */
export type PageFrame = v.InferOutput<typeof pageFrameSchema>;

const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const runNumberSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0xff_ff_ff_ff));
const headerValueSchema = v.pipe(v.string(), v.maxLength(256), v.regex(/^[\x20-\x7e]*$/));

const pageFrameSchema = v.union([
  /** The first one: a new channel, or the name of the one to go on with, and how far the page is in each of its runs. */
  v.strictObject({
    channel: v.optional(v.pipe(v.string(), v.maxLength(64))),
    runs: v.pipe(
      v.array(v.strictObject({ run: runNumberSchema, frames: countSchema, taken: countSchema })),
      v.maxLength(64),
    ),
  }),
  /** A request; its body follows in binary frames. */
  v.strictObject({
    run: runNumberSchema,
    path: v.picklist(['/v1/chat/completions', '/v1/embeddings']),
    accept: headerValueSchema,
    requestId: v.optional(headerValueSchema),
    /** For the demo gateway, whatever gateway is configured. */
    demo: v.optional(v.literal(true)),
    bytes: countSchema,
  }),
  /** So many bytes of the answer have been taken, in all. */
  v.strictObject({ run: runNumberSchema, taken: countSchema }),
  /** The page is through with the run, whether it has ended or is to be stopped. */
  v.strictObject({ run: runNumberSchema, stop: v.literal(true) }),
]);

/** Undefined for anything else. */
export function readPageFrame(text: string): PageFrame | undefined {
  const parsed = parseJson(text);
  const result = v.safeParse(pageFrameSchema, parsed.ok && parsed.value);
  return result.success ? result.output : undefined;
}
